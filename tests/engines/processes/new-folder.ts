import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** A fresh temporary folder for one server. */
export function newFolder(name: string): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), `engine-${name}-`));
}
