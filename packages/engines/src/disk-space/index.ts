import { statfsSync } from "node:fs";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { Headroom } from "./headroom.ts";

/** What is refused, least strict first (docs/rules.md#a-disk-that-runs-full). */
export const DISK_LEVELS = ["ok", "no uploads", "no writes"] as const;
export type DiskLevel = (typeof DISK_LEVELS)[number];

/** The `cause` of a store's error when it takes no writes. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";

  constructor() {
    super("the disk is nearly full: free space, and writes resume by themselves");
  }
}

/** The error of a store that takes no writes now. Nothing was attempted. */
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

/** Real milliseconds for which a reading counts. It counts for less the nearer the bound is. */
const MIN_AGE = 10;
const MAX_AGE = 1_000;
/** Bytes in a millisecond. Other processes are not expected to fill a disk faster. */
const FASTEST_FILL = 2_000_000;
/** Real milliseconds in which work may finish that began before the last quarter was reached. */
const FINISH_WITHIN = 1_000;
/** Bytes. One transaction of live read models, or of log and state, takes far less. */
const ENOUGH_HEADROOM = 8 * 1_048_576;
/** Below so many reserves of free space the bound is near. */
const NEAR = 4;
/** A level is left only a little above its bound, or it would change with every write. */
const MARGIN = 1.1;
/** Real milliseconds between two checks while work waits for room. */
const RETRY_INTERVAL = 250;

/**
 * The free space of a file system, and what may be written there. Code that is about to write asks. A reading is
 * repeated when it is too old for the space that was left. Each thread has its own.
 */
export class DiskSpace {
  readonly #reserve: number;
  readonly #readFree: () => number;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  /** Of the data files that this thread writes. */
  readonly #headrooms: Headroom[] = [];
  #free = Number.POSITIVE_INFINITY;
  /** Index in `DISK_LEVELS`, and the time of its last change. */
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

  /** Whether work that writes may begin: a command, a due task, a webhook attempt, a part of a rebuild. */
  get takesCommands(): boolean {
    return this.level !== "no writes";
  }

  /** Whether log and state take writes. Work that began before commands were refused may write for a moment. */
  get takesWrites(): boolean {
    return this.takesCommands || (this.takesLast && this.#now() - this.#since < FINISH_WITHIN);
  }

  /**
   * Whether the reserve suffices for the live projections. They must keep up even when commands are refused, so that
   * clients read what they wrote; by then the log hardly grows any more.
   */
  get takesLast(): boolean {
    this.#refresh();
    if (this.#free >= this.#reserve / 8) return true;
    return this.#headrooms.length > 0 && this.#headrooms.every(({ ready }) => ready >= ENOUGH_HEADROOM);
  }

  /** Allocates space for the next writes to a data file of this thread, unless free space is far above the reserve. */
  keepHeadroomOf(file: string): void {
    this.#headrooms.push(new Headroom(file));
    this.#keepHeadroom();
  }

  /** Resolves once there is room. @throws DiskFull this was closed first. */
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

  /** If free space can't be read, the last reading counts. */
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

/** Free bytes for this user on the file system of the folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
