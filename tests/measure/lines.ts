import fs from "node:fs";
import path from "node:path";

/** Lines that are neither empty nor a comment alone, of TypeScript, JavaScript and style sheets. */
export interface CodeLines {
  /** What the product is made of; without the generated part of the client. */
  readonly source: number;
  readonly tests: number;
}

const CODE = /\.(?:[cm]?[jt]s|css)$/;
const LEFT_OUT = new Set(["node_modules", "data", "dist", ".git"]);
const GENERATED = "packages/client/src/generated.ts";

export function countLines(root: string): CodeLines {
  const count = { source: 0, tests: 0 };
  for (const file of filesIn(root, "")) {
    if (file === GENERATED) continue;
    const isTest = file.startsWith("tests/") || file.includes("/test/");
    const isSource = file.includes("/src/") || file.includes("/programs/") || path.basename(file) === "start.js";
    if (isTest || isSource)
      count[isTest ? "tests" : "source"] += codeLines(fs.readFileSync(path.join(root, file), "utf8"));
  }
  return count;
}

function* filesIn(root: string, folder: string): Generator<string> {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* filesIn(root, name);
    else if (entry.isFile() && CODE.test(name)) yield name;
  }
}

/** A line that begins within a comment of several lines is one, too. */
export function codeLines(text: string): number {
  let isComment = false;
  let count = 0;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (isComment) {
      isComment = !line.includes("*/");
      continue;
    }
    if (line === "" || line.startsWith("//")) continue;
    if (line.startsWith("/*")) isComment = !line.includes("*/");
    else count += 1;
  }
  return count;
}
