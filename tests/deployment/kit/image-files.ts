import fs from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../../..");

/** The files of the project that get into the image, as .dockerignore says: from the root, sorted. */
export function imageFiles(): readonly string[] {
  const lines = fs
    .readFileSync(path.join(ROOT, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const [first, ...rest] = lines;
  if (first !== "*") throw new Error(".dockerignore does not begin with leaving everything out");
  const taken = rest.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const left = rest.filter((line) => line.startsWith("**/")).map((line) => line.slice(3));
  if (taken.length + left.length !== rest.length) throw new Error("a form in .dockerignore that is not known here");
  const isLeft = (name: string) => left.some((pattern) => path.matchesGlob(name, pattern));

  const files: string[] = [];
  const walk = (entry: string) => {
    if (isLeft(path.basename(entry))) return;
    if (fs.statSync(path.join(ROOT, entry)).isFile()) files.push(entry);
    else for (const name of fs.readdirSync(path.join(ROOT, entry))) walk(`${entry}/${name}`);
  };
  taken.forEach(walk);
  return files.sort();
}
