/** Does one thing with durable files in a folder, and prints what it asked the file system to do, in order. */
import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";

const [, , folder = "", what] = process.argv;
const calls: string[] = [];
const opened = new Map<number, string>();
const nameOf = (path: PathLike) => relative(folder, String(path)) || ".";
const { openSync, mkdirSync, fsyncSync, renameSync } = fs;

Object.assign(fs, {
  openSync(path: PathLike, ...rest: never[]) {
    const descriptor = openSync(path, ...(rest as unknown as [string]));
    opened.set(descriptor, nameOf(path));
    return descriptor;
  },
  mkdirSync(path: PathLike, options: object) {
    mkdirSync(path, options);
    calls.push(`mkdir ${nameOf(path)}`);
  },
  fsyncSync(descriptor: number) {
    fsyncSync(descriptor);
    calls.push(`sync ${opened.get(descriptor)}`);
  },
  renameSync(from: PathLike, to: PathLike) {
    renameSync(from, to);
    calls.push(`rename ${nameOf(from)}`);
  },
});
syncBuiltinESMExports();

const { createFile, makeFolder, replaceFile } = await import("../../src/durable-files.ts");
if (what === "makeFolder") makeFolder(join(folder, "a", "b"));
if (what === "makeSameFolder") for (let times = 0; times < 2; times += 1) makeFolder(join(folder, "a"));
if (what === "createFile") createFile(join(folder, "file"), "content");
if (what === "replaceFile") replaceFile(join(folder, "file"), "content");
process.stdout.write(JSON.stringify(calls));
