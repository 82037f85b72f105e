import { statfsSync } from "node:fs";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { Headroom } from "./headroom.ts";

/** What is refused, the least first (docs/rules.md#a-disk-that-runs-full). */
export const DISK_LEVELS = ["ok", "no uploads", "no writes"] as const;
export type DiskLevel = (typeof DISK_LEVELS)[number];

/** Why a store takes no writes: the `cause` of its error. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";

  constructor() {
    super("the disk is nearly full: free space, and writes resume by themselves");
  }
}

/** The error of a store that takes no writes now; nothing was attempted. */
export function noRoom<Unavailable>(make: new (message: string, options: ErrorOptions) => Unavailable): Unavailable {
  const cause = new DiskFull();
  return new make(cause.message, { cause });
}

export interface DiskSpaceOptions {
  /** `DISK_RESERVE_MB`, in bytes; 0: everything is allowed. */
  readonly reserve: number;
  /** Free bytes; those of the folder's file system by default. */
  readonly readFree?: () => number;
  /** Real time in milliseconds. */
  readonly now?: () => number;
}

/** Real milliseconds a reading counts: the nearer the bound, the fewer. */
const MIN_AGE = 10;
const MAX_AGE = 1_000;
/** Bytes in a millisecond: faster than other processes are expected to fill a disk. */
const FASTEST_FILL = 2_000_000;
/** Real milliseconds: what was begun before the last quarter was reached may finish. */
const FINISH_WITHIN = 1_000;
/** Bytes: far more than one transaction of live read models, or of log and state, takes. */
const ENOUGH_HEADROOM = 8 * 1_048_576;
/** Reserves: with less the bound is near. */
const NEAR = 4;
/** What was refused is allowed again a little above the bound: on the bound it would change with every write. */
const MARGIN = 1.1;
/** Real milliseconds between two looks of work that waits for room. */
const RETRY_INTERVAL = 250;

/**
 * The free space of a file system, and what may be written there. Whoever is about to write asks; a reading is repeated
 * when it is too old for what is left. Each thread has its own.
 */
export class DiskSpace {
  readonly #reserve: number;
  readonly #readFree: () => number;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  /** Of the files this thread writes. */
  readonly #headrooms: Headroom[] = [];
  #free = Number.POSITIVE_INFINITY;
  /** Index of `DISK_LEVELS`, and since when it has been. */
  #level = 0;
  #since = 0;
  #readAgainAt = 0;

  constructor(
    folder: string,
    { reserve, readFree = () => freeBytes(folder), now = () => performance.now() }: DiskSpaceOptions,
  ) {
    this.#reserve = reserve;
    this.#readFree = readFree;
    this.#now = now;
    this.#refresh();
  }

  /** Bytes. */
  get free(): number {
    this.#refresh();
    return this.#free;
  }

  get level(): DiskLevel {
    this.#refresh();
    return DISK_LEVELS[this.#level] ?? "ok";
  }

  get takesUploads(): boolean {
    return this.level === "ok";
  }

  /** Whether anything that writes may begin: a command, a due task, a webhook attempt, a part of a rebuild. */
  get takesCommands(): boolean {
    return this.level !== "no writes";
  }

  /** Whether log and state take writes: also those of what was begun, for a moment. */
  get takesWrites(): boolean {
    return this.takesCommands || (this.takesLast && this.#now() - this.#since < FINISH_WITHIN);
  }

  /**
   * Whether there is room for the last that has to be written: read models in use follow the log, which hardly grows any
   * more, so that clients read what they wrote.
   */
  get takesLast(): boolean {
    this.#refresh();
    if (this.#free >= this.#reserve / 8) return true;
    return this.#headrooms.length > 0 && this.#headrooms.every(({ ready }) => ready >= ENOUGH_HEADROOM);
  }

  /** Makes room for the next writes to a data file of this thread, while there is not much more than the reserve. */
  keepHeadroomOf(file: string): void {
    this.#headrooms.push(new Headroom(file));
    this.#keepHeadroom();
  }

  /** Resolves once there is room. @throws DiskFull it is closed. */
  async wait(hasRoom: () => boolean): Promise<void> {
    const { signal } = this.#closing;
    while (!hasRoom()) {
      if (signal.aborted) throw new DiskFull();
      await backgroundPause(RETRY_INTERVAL, signal);
    }
  }

  /** Ends every wait. */
  close(): void {
    this.#closing.abort();
  }

  #refresh(): void {
    const now = this.#now();
    if (now < this.#readAgainAt) return;
    this.#free = this.#read();
    this.#readAgainAt = now + Math.min(Math.max((this.#free - this.#reserve) / FASTEST_FILL, MIN_AGE), MAX_AGE);
    const level = Math.max(this.#levelAt(this.#free), Math.min(this.#level, this.#levelAt(this.#free / MARGIN)));
    if (level !== this.#level) this.#since = now;
    this.#level = level;
    this.#keepHeadroom();
  }

  #keepHeadroom(): void {
    if (this.#free < NEAR * this.#reserve) for (const headroom of this.#headrooms) headroom.keep(this.#free);
  }

  /** What can't be read has not changed. */
  #read(): number {
    try {
      return this.#readFree();
    } catch {
      return this.#free;
    }
  }

  #levelAt(free: number): number {
    if (free < this.#reserve / 4) return 2;
    return free < this.#reserve ? 1 : 0;
  }
}

/** Free bytes for this user on the file system of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
