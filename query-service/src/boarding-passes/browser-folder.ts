import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for this process's browser, which nobody else may read: in the data folder where that can be written to. */
export function newBrowserFolder(dataDir: string): string {
  try {
    return mkdtempSync(join(dataDir, "browser-"));
  } catch {
    return mkdtempSync(join(tmpdir(), "travel-booking-browser-"));
  }
}
