import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fieldOf } from "../processes/field-of.ts";

const LOOK_AGAIN_MS = 100;
/** Longer than anything is done under a lock: by then its holder's process id belongs to somebody else. */
const LONGEST_MS = 30 * 60_000;

/**
 * Does this while nobody else does, in any process. A lock whose holder is gone counts for nothing; where two find that
 * at the same moment both may go ahead, so what is done must bear it.
 */
export async function withLock(file: string, work: () => Promise<void>): Promise<void> {
  while (!take(file)) {
    if (isAbandoned(file)) fs.rmSync(file, { force: true });
    else await pause(LOOK_AGAIN_MS);
  }
  try {
    await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    // Appears under its name with its content: nobody ever reads half of it.
    const own = `${file}.${process.pid}`;
    fs.writeFileSync(own, String(process.pid));
    try {
      fs.linkSync(own, file);
    } finally {
      fs.rmSync(own);
    }
    return true;
  } catch (failure) {
    if (fieldOf(failure, "code") === "EEXIST") return false;
    throw failure;
  }
}

function isAbandoned(file: string): boolean {
  try {
    process.kill(Number(fs.readFileSync(file, "utf8")), 0);
    return Date.now() - fs.statSync(file).mtimeMs > LONGEST_MS;
  } catch (failure) {
    // ENOENT: it has just been given back, and is to be tried for again.
    const code = fieldOf(failure, "code");
    return code === "ESRCH" || code === "ENOENT";
  }
}
