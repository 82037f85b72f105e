import { spawn } from "node:child_process";
import { statSync } from "node:fs";

/** Bytes that are ready behind the end of a file, at least, and that are made ready at a time. */
const LEAST = 16 * 1_048_576;
const AT_A_TIME = 32 * 1_048_576;
/** Real time after a failure: the file system may not be able to. */
const RETRY_MS = 10_000;
/** `st_blocks` counts in these. */
const BLOCK = 512;

/**
 * Room on the disk that a data file has before it needs it, so that LMDB meets no end of the disk even where somebody
 * else fills it at once: its native part writes behind a buffer of its own when it words such an error, which may end
 * the process. Only where there is a program `fallocate` (util-linux), which Node has no call for; elsewhere nothing happens.
 */
export class Headroom {
  readonly #file: string;
  /** By `performance.now()`: the program is not started before. */
  #nextAt = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Bytes that can be written behind the end of the file whatever else the disk has. */
  get ready(): number {
    const file = statSync(this.#file, { throwIfNoEntry: false });
    return file === undefined ? 0 : file.blocks * BLOCK - file.size;
  }

  /** Makes room in the background, if there is little and the disk has enough. @param free bytes of the disk. */
  keep(free: number): void {
    if (performance.now() < this.#nextAt || free < AT_A_TIME || this.ready >= LEAST) return;
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return;
    // Until it has ended; for ever where there is no such program.
    this.#nextAt = Number.POSITIVE_INFINITY;
    // Changes nothing that is written, whatever LMDB writes meanwhile.
    const args = ["--keep-size", "--offset", String(size), "--length", String(AT_A_TIME), this.#file];
    // Our environment has secrets, which are not for it.
    spawn("fallocate", args, { stdio: "ignore", env: { PATH: process.env.PATH ?? "" } })
      .on("error", () => undefined)
      .on("exit", (code) => {
        this.#nextAt = code === 0 ? 0 : performance.now() + RETRY_MS;
      })
      .unref();
  }
}
