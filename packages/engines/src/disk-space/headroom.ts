import { spawn } from "node:child_process";
import { statSync } from "node:fs";

/** Bytes kept allocated behind the end of a file at least, and bytes allocated at a time. */
const LEAST = 16 * 1_048_576;
const AT_A_TIME = 32 * 1_048_576;
/** Real time before the next try after a failure, since the file system may not support this. */
const RETRY_MS = 10_000;
/** `st_blocks` counts in blocks of this size. */
const BLOCK = 512;

/**
 * Disk space allocated to a data file before LMDB needs it. So LMDB never meets a full disk, even if another process
 * fills it suddenly. LMDB's native part overruns a buffer when it formats that error, which may end the process. Needs
 * the program `fallocate` (util-linux), since Node has no such call. Without it nothing is allocated.
 */
export class Headroom {
  readonly #file: string;
  /** By `performance.now()`: the earliest time to start the program again. */
  #nextAt = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Bytes that can be written behind the end of the file even if the disk is full. */
  get ready(): number {
    const file = statSync(this.#file, { throwIfNoEntry: false });
    return file === undefined ? 0 : file.blocks * BLOCK - file.size;
  }

  /** Allocates space in the background if little is left and the disk has enough. @param free bytes of the disk. */
  keep(free: number): void {
    if (performance.now() < this.#nextAt || free < AT_A_TIME || this.ready >= LEAST) return;
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return;
    // Until the program has ended; for ever if there is no such program.
    this.#nextAt = Number.POSITIVE_INFINITY;
    // Safe while LMDB writes, because it changes nothing that is written.
    const args = ["--keep-size", "--offset", String(size), "--length", String(AT_A_TIME), this.#file];
    // The program must not get our environment, which has secrets.
    spawn("fallocate", args, { stdio: "ignore", env: { PATH: process.env.PATH ?? "" } })
      .on("error", () => undefined)
      .on("exit", (code) => {
        this.#nextAt = code === 0 ? 0 : performance.now() + RETRY_MS;
      })
      .unref();
  }
}
