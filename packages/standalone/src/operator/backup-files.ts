import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is being written; a finished file has a name without an ending. */
const UNFINISHED = /\./;

/**
 * Copies the finished files of a folder that are not younger than `until` (milliseconds since the epoch). A file never
 * changes; one that is younger belongs to no event of a log that was copied after that moment. Answers their bytes.
 */
export async function backupFiles(from: string, to: string, until: number): Promise<number> {
  await mkdir(to, { recursive: true });
  let bytes = 0;
  for (const name of await readdir(from)) {
    if (UNFINISHED.test(name)) continue;
    const known = await stat(join(from, name)).catch(() => undefined);
    if (known === undefined || known.mtimeMs > until) continue;
    bytes += (await copyDurably(join(from, name), join(to, name))) ? known.size : 0;
  }
  return bytes;
}

/** False where it has been removed meanwhile. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}
