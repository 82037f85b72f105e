import { open } from "node:fs/promises";
import { BlobStoreUnavailable } from "../index.ts";

/** Makes changes of a folder durable. Unlike the one in the runtime, it blocks no request. */
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
    throw asUnavailable(error);
  }
}

/** `BlobStoreUnavailable` for an error of the file system; any other as it is. */
export function asUnavailable(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  return new BlobStoreUnavailable(`the folder of the blobs can't be used (${code})`, { cause: error });
}

export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}
