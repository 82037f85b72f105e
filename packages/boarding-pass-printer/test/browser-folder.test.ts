import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { clearBrowserFolder } from "../src/browser-folder.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "browser-folder-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is logged about a folder. */
function cleared(place: string): readonly unknown[] {
  const told: unknown[] = [];
  const logger = { warn: ({ err }: { readonly err?: NodeJS.ErrnoException }) => void told.push(err?.code) };
  clearBrowserFolder(place, logger);
  return told;
}

test("what browsers have left is removed, and nothing else", () => {
  for (const name of ["profile-1", "unpacking-1", "program"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "profile-1", "page"), "Ada");
  expect(cleared(folder)).toStrictEqual([]);
  expect(readdirSync(folder)).toStrictEqual(["program"]);
});

test("a folder that is not there has nothing in it; of one that can't be read is told", () => {
  expect(cleared(join(folder, "missing"))).toStrictEqual([]);
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(cleared(file)).toStrictEqual(["ENOTDIR"]);
});
