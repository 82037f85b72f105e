import fs from "node:fs";
import path from "node:path";

/** Where administrators' programs are; not everybody's path leads there. */
const FURTHER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];

/** The nginx of this machine; undefined: it has none. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), ...FURTHER_FOLDERS];
  return folders.map((folder) => path.join(folder, "nginx")).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
