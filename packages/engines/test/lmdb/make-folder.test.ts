import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { makeFolder } from "../../src/lmdb/data-folder.ts";

describe("making a folder", () => {
  let above: string;

  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), "make-folder-"));
  });

  afterEach(() => rmSync(above, { recursive: true }));

  test("makes what is missing above it, for this user alone, and may come again", () => {
    const folder = join(above, "a", "b");
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(above, "a")).mode & 0o777).toBe(0o700);
  });

  test("says so where something above it is a file", () => {
    writeFileSync(join(above, "file"), "");
    expect(() => makeFolder(join(above, "file", "folder"))).toThrow("ENOTDIR");
  });

  (process.platform === "linux" ? test : test.skip)("gives up on a file system that takes no folders", () => {
    expect(() => makeFolder("/proc/nowhere/deeper")).toThrow("ENOENT");
  });
});
