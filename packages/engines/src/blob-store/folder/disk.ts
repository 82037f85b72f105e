import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { BlobStoreUnavailable } from "../index.ts";

/** With missing parent folders; durable when it resolves. @param folder absolute */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

/** Makes changes of a folder durable. */
export async function syncFolder(name: string): Promise<void> {
  // Windows can't open a folder, and makes its entries durable by itself.
  if (process.platform === "win32") return;
  const folder = await open(name, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Translates errors of the file system to `BlobStoreUnavailable`. */
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
