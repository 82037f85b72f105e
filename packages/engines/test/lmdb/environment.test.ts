import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { checkDataFile } from "../../src/lmdb/data-file.ts";
import {
  backup,
  DamagedStore,
  DataFolderNotWritable,
  type Environment,
  openEnvironment,
} from "../../src/lmdb/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const openDatabase = ({ root }: Environment, name = "things") =>
  root.openDB<Buffer, string>({ name, encoding: "binary" });
const textOf = (value: Buffer | undefined) => value?.toString();

test("what was put is there when it is opened again", async () => {
  const path = join(temporaryFolder(), "log");
  const first = openEnvironment({ path, maxDbs: 2 });
  expect(first.path).toBe(path);
  await openDatabase(first).put("k", Buffer.from("v"));
  await first.close();
  const second = openEnvironment({ path, maxDbs: 2 });
  expect(textOf(openDatabase(second).get("k"))).toBe("v");
  await second.close();
});

test("a second handle sees what the first one wrote", async () => {
  const path = temporaryFolder();
  const writer = openEnvironment({ path, maxDbs: 2 });
  const written = openDatabase(writer);
  const reader = openEnvironment({ path, maxDbs: 2 });
  const read = openDatabase(reader);
  await written.put("k", Buffer.from("v"));
  read.resetReadTxn();
  expect(textOf(read.get("k"))).toBe("v");
  await reader.close();
  await writer.close();
});

test("a backup is a whole copy of one moment, made while writing goes on", async () => {
  const path = temporaryFolder();
  const copy = join(temporaryFolder(), "copy");
  const environment = openEnvironment({ path, maxDbs: 2 });
  const [left, right] = [openDatabase(environment, "left"), openDatabase(environment, "right")];
  const write = (n: number) =>
    environment.root.batch(() => {
      void left.put(`k${n}`, Buffer.alloc(500, n));
      void right.put(`k${n}`, Buffer.alloc(500, n));
    });
  for (let n = 0; n < 100; n++) await write(n);
  const copying = backup(environment, copy);
  for (let n = 100; n < 200; n++) await write(n);
  await copying;
  await environment.close();

  const restored = openEnvironment({ path: copy, maxDbs: 2 });
  const [leftCopy, rightCopy] = [openDatabase(restored, "left"), openDatabase(restored, "right")];
  const entries = [...leftCopy.getRange({})];
  expect(entries.length).toBeGreaterThanOrEqual(100);
  expect([...rightCopy.getRange({})]).toStrictEqual(entries);
  await restored.close();
  await expect(backup(restored, "/dev/null/nowhere")).rejects.toBeInstanceOf(DataFolderNotWritable);
});

test("a path that is not a folder", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "below")]) {
    expect(() => openEnvironment({ path, maxDbs: 1 })).toThrow(DataFolderNotWritable);
  }
});

test("an environment that was never finished being made is made again", async () => {
  const path = temporaryFolder();
  writeFileSync(join(path, "data.mdb"), "");
  const environment = openEnvironment({ path, maxDbs: 2 });
  await openDatabase(environment).put("k", Buffer.from("v"));
  await environment.close();
});

test("a root page that is not what was written is found before anything is read", async () => {
  const path = temporaryFolder();
  const file = join(path, "data.mdb");
  const environment = openEnvironment({ path, maxDbs: 2 });
  const database = openDatabase(environment);
  for (let n = 0; n < 200; n++) await database.put(`k${n}`, Buffer.alloc(300));
  await environment.close();
  const whole = readFileSync(file);
  const broken = Buffer.from(whole);
  broken.fill(0xee, 8192);
  writeFileSync(file, broken);
  expect(() => openEnvironment({ path, maxDbs: 2 })).toThrow(DamagedStore);
  writeFileSync(file, whole);
  await openEnvironment({ path, maxDbs: 2 }).close();
});

test("whatever is written and removed, the file is taken for whole; cut off, it is not", async () => {
  const operation = fc.tuple(fc.nat(40), fc.constantFrom(0, 1, 200, 3_000, 20_000, 45_000));
  const transactions = fc.array(fc.array(operation, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(transactions, async (all) => {
      const path = temporaryFolder();
      const file = join(path, "data.mdb");
      const environment = openEnvironment({ path, maxDbs: 2 });
      const database = openDatabase(environment);
      for (const each of all) {
        await environment.root.batch(() => {
          for (const [key, size] of each) {
            if (size === 0) void database.remove(`k${key}`);
            else void database.put(`k${key}`, Buffer.alloc(size));
          }
        });
        checkDataFile(file, false);
      }
      await environment.close();
      truncateSync(file, 8192);
      expect(() => checkDataFile(file, false)).toThrow(DamagedStore);
      rmSync(path, { recursive: true });
    }),
    { numRuns: 15 },
  );
});
