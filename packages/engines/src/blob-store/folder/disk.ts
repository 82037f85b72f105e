import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { BlobStoreUnavailable } from "../index.ts";

/** With all folders above it that are not there; durable when it resolves. @param folder absolute */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

/** What has changed in a folder is durable when it resolves. */
export async function syncFolder(name: string): Promise<void> {
  // Windows can't open a folder, and keeps its entries by itself.
  if (process.platform === "win32") return;
  const folder = await open(name, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Work on the disk, whose faults are the engine's: `BlobStoreUnavailable`. */
export async function translateDiskErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new BlobStoreUnavailable(`the folder of the blobs can't be used (${codeOf(error)})`, { cause: error });
  }
}

export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}
