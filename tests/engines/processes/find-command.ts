import fs from "node:fs";
import path from "node:path";

/** Where a program is: as the shell would find it, then in these further folders. Undefined: in none of them. */
export function findCommand(name: string, furtherFolders: readonly string[] = []): string | undefined {
  return [...(process.env.PATH ?? "").split(path.delimiter), ...furtherFolders]
    .map((folder) => path.join(folder, name))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
