import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Readable by this user alone: it holds personal data. */
const PRIVATE = 0o700;

/**
 * Makes a folder, and those above it where they are missing. Node's own recursive form never ends on a file system
 * that answers ENOENT though the folder above is there, as /proc does.
 * @throws what the file system says.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    const above = dirname(path);
    if (code !== "ENOENT" || above === path) throw error;
    makeFolder(above);
    mkdirSync(path, { mode: PRIVATE });
  }
}
