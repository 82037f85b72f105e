import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Writes files, path to text, into a fresh temporary folder and answers that folder. */
export function sourceTree(files: Readonly<Record<string, string>>): string {
  const tree = fs.mkdtempSync(path.join(os.tmpdir(), "architecture-"));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    fs.writeFileSync(path.join(tree, name), text);
  }
  return tree;
}
