import fs from "node:fs";

/** The blocks of code of a Markdown file that are in this language. */
export function blocksOf(file: string, language: string): readonly string[] {
  const blocks = fs.readFileSync(file, "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, found, block = ""]) => (found === language ? [block] : []));
}
