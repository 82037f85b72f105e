import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Why no small file system can be had here; undefined: one can. */
export function smallDiskMissingReason(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "mounting a small file system needs root on Linux";
  try {
    new SmallDisk(1).remove();
    return undefined;
  } catch {
    return "this system does not let its root mount a file system";
  }
}

const MB = 1_048_576;
const PIECE = Buffer.alloc(MB, 1);

/** A file system of so many megabytes, in memory. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), "small-disk-"));

  constructor(megabytes: number) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", this.folder], {
      stdio: "ignore",
    });
  }

  get #filler(): string {
    return join(this.folder, "somebody-elses-file");
  }

  get freeMb(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return (bavail * bsize) / MB;
  }

  /** Somebody else takes all but so many megabytes, as fast as memory does. */
  async fill(leftMb: number): Promise<void> {
    const file = openSync(this.#filler, "a");
    try {
      while (this.freeMb > leftMb || leftMb === 0) {
        if (writeSync(file, PIECE) < PIECE.length) return;
        await setImmediate();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Removes what `fill` has written. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  remove(): void {
    execFileSync("umount", ["--lazy", this.folder], { stdio: "ignore" });
    rmdirSync(this.folder);
  }
}
