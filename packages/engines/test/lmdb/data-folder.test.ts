import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@jest/globals";
import {
  DataFolderFull,
  DataFolderInUse,
  DataFolderNotWritable,
  lockDataFolder,
  lockFreeFolder,
  StorageError,
  toStorageError,
} from "../../src/lmdb/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const SCRIPT = join(import.meta.dirname, "children", "hold-lock.ts");

/** Another process that tries to take the folder; resolves with the line it says. */
async function otherProcess(folder: string, limit = "unlimited") {
  const child = spawn("sh", ["-c", `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, SCRIPT, folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const exited = once(child, "exit");
  const [line] = await once(createInterface(child.stdout), "line");
  return {
    pid: child.pid,
    line,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

test("one process at a time has a data folder, whatever became of the last one", async () => {
  const folder = join(temporaryFolder(), "not", "there", "yet");
  for (let round = 0; round < 3; round++) {
    const other = await otherProcess(folder);
    expect(other.line).toBe("locked");
    expect(() => lockDataFolder(folder)).toThrow(DataFolderInUse);
    expect(() => lockDataFolder(folder)).toThrow(
      `the data folder ${folder} is in use by another process (process ${other.pid}): stop it, or choose another folder`,
    );
    await other.kill();
    const lock = lockDataFolder(folder);
    const refused = await otherProcess(folder);
    expect(refused.line).toMatch(/^DataFolderInUse: the data folder .+ is in use/);
    await refused.kill();
    lock.release();
    lock.release();
  }
});

test("of many processes at once, one gets it", async () => {
  const folder = temporaryFolder();
  const all = await Promise.all(Array.from({ length: 4 }, () => otherProcess(folder)));
  expect(all.filter(({ line }) => line === "locked")).toHaveLength(1);
  expect(all.filter(({ line }) => line.startsWith("DataFolderInUse"))).toHaveLength(3);
  await Promise.all(all.map((other) => other.kill()));
});

test("of numbered folders each process gets the first that is free, and what a killed one has left in it", async () => {
  const parent = temporaryFolder();
  const [one, other] = [join(parent, "own-1"), join(parent, "own-2")];
  const holder = await otherProcess(one);
  expect(lockFreeFolder(parent, "own")).toBe(other);
  await holder.kill();
  writeFileSync(join(one, "left"), "");
  expect(lockFreeFolder(parent, "own")).toBe(one);
  expect(readdirSync(one)).toContain("left");
});

test("this process can't take it twice", () => {
  const folder = temporaryFolder();
  const lock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(DataFolderInUse);
  expect(readdirSync(folder).filter((name) => name.startsWith("probe"))).toStrictEqual([]);
  lock.release();
  lockDataFolder(folder).release();
});

test("a folder that can't be written is told in one line", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")]) {
    expect(() => lockDataFolder(folder)).toThrow(DataFolderNotWritable);
    expect(() => lockDataFolder(folder)).toThrow(
      /^the data folder \S+ can't be written \(E\w+\): make it a folder this user may write to$/,
    );
  }
});

test("a folder without space is told in one line", async () => {
  const full = await otherProcess(temporaryFolder(), "8");
  expect(full.line).toMatch(
    /^DataFolderFull: no space is left for the data folder \S+ \(EFBIG\): free some, then start again$/,
  );
  await full.kill();
});

test.each([
  ["EACCES", DataFolderNotWritable],
  ["EROFS", DataFolderNotWritable],
  ["EPERM", DataFolderNotWritable],
  ["ENOSPC", DataFolderFull],
  ["EDQUOT", DataFolderFull],
  ["EMFILE", StorageError],
])("%s has its own words", (code, kind) => {
  const fault = toStorageError("/data", Object.assign(new Error("what the system says"), { code }));
  expect(fault.constructor).toBe(kind);
  expect(fault.message).toContain(code);
  expect(fault.message).not.toContain("\n");
});
