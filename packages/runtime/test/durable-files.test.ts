import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createFile, isThere, makeFolder, replaceFile } from "@travel-booking/runtime/durable-files";

let above: string;

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), "durable-files-"));
});

afterEach(() => rmSync(above, { recursive: true }));

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

  (process.platform === "linux" ? test : test.skip)(
    "takes one that is there where the one above can't be synced",
    () => {
      makeFolder("/proc/self");
    },
  );
});

test("what can't be looked at is not taken for missing", () => {
  const loop = join(above, "loop");
  expect([isThere(above), isThere(loop)]).toStrictEqual([true, false]);
  symlinkSync(loop, loop);
  expect(() => isThere(loop)).toThrow("ELOOP");
});

describe("a file", () => {
  test("is made once, for this user alone", () => {
    const file = join(above, "file");
    createFile(file, "one");
    expect(() => createFile(file, "two")).toThrow("EEXIST");
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toStrictEqual(["one", 0o600]);
  });

  test("is replaced, whatever a former try has left", () => {
    const file = join(above, "file");
    writeFileSync(`${file}.new`, "half of somethi");
    replaceFile(file, "one");
    replaceFile(file, "two");
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toStrictEqual(["two", 0o600]);
  });
});

/** What a process asks of the file system while it does this in the folder `above`; paths are relative to it. */
function calls(what: string): readonly string[] {
  const script = join(import.meta.dirname, "children", "record-calls.ts");
  const said = execFileSync(process.execPath, [script, above, what], { env: {}, encoding: "utf8" });
  return JSON.parse(said) as readonly string[];
}

describe("what survives a power cut", () => {
  test("each folder that is made: the one above is on the disk, too", () => {
    expect(calls("makeFolder")).toStrictEqual(["mkdir a", "sync .", "mkdir a/b", "sync a"]);
  });

  test("a folder that an earlier start made, which may have ended before it was on the disk", () => {
    expect(calls("makeSameFolder")).toStrictEqual(["mkdir a", "sync .", "sync ."]);
  });

  test("a new file and its name", () => {
    expect(calls("createFile")).toStrictEqual(["sync file", "sync ."]);
  });

  test("a file that is replaced: its content before its name", () => {
    expect(calls("replaceFile")).toStrictEqual(["sync file.new", "rename file.new", "sync ."]);
  });
});
