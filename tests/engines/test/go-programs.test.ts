import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { build } from "../go/build.ts";
import { findGo, type GoProgram, goProgram, goProgramMissingReason } from "../go/go-program.ts";
import { withLock } from "../go/with-lock.ts";
import { titleOfSkipped } from "../title-of-skipped.ts";

let folder: string;
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "go-programs-"));
  environment = { ...process.env };
});
afterEach(() => {
  process.env = environment;
  fs.rmSync(folder, { recursive: true });
});

/** A program that needs nothing but Go. */
function program(main: string): GoProgram {
  fs.writeFileSync(path.join(folder, "main.go"), main);
  fs.writeFileSync(path.join(folder, "go.mod"), "module example\n\ngo 1.22\n");
  return { name: "example", folder, file: path.join(folder, ".build", "example-1") };
}

const title = "a Go program";
const [describeGo, goTitle] =
  findGo() === undefined ? [describe.skip, titleOfSkipped(title, "Go is not installed")] : [describe, title];

describeGo(goTitle, () => {
  test("is built once, also when several ask for it, and again where it has changed", async () => {
    const example = program('package main\n\nfunc main() { println("one") }\n');
    const files = await Promise.all([build(example), build(example), build(example)]);
    expect(files).toStrictEqual([example.file, example.file, example.file]);
    const { mtimeMs } = fs.statSync(example.file);
    await build(example);
    expect(fs.statSync(example.file).mtimeMs).toBe(mtimeMs);
    expect((await promisify(execFile)(example.file)).stderr).toBe("one\n");
    const changed = {
      ...program('package main\n\nfunc main() { println("two") }\n'),
      file: `${folder}/.build/example-2`,
    };
    await build(changed);
    expect((await promisify(execFile)(changed.file)).stderr).toBe("two\n");
    expect(fs.readdirSync(path.dirname(changed.file))).toStrictEqual(["example-2"]);
  });

  test("that does not compile is told by what Go says first, and leaves nothing", async () => {
    const wrong = program("package main\n\nfunc main() { nothing() }\n");
    await expect(build(wrong)).rejects.toMatchObject({
      message: "example could not be built: ./main.go:3:15: undefined: nothing",
    });
    expect(fs.readdirSync(path.dirname(wrong.file))).toStrictEqual([]);
  });

  test("whose modules cannot be had says so", async () => {
    process.env.GOPROXY = "off";
    process.env.GOMODCACHE = path.join(folder, "modules");
    fs.cpSync(goProgram("toxiproxy").folder, folder, { recursive: true });
    const far = { name: "example", folder, file: path.join(folder, ".build", "example-1") };
    await expect(build(far)).rejects.toThrow(/^example could not be built: .*module lookup disabled by GOPROXY=off$/);
  });
});

test("its place changes with its sources, and with nothing else", () => {
  expect(goProgram("ferretdb").file).toBe(goProgram("ferretdb").file);
  expect(goProgram("ferretdb").file).not.toBe(goProgram("toxiproxy").file);
});

test("without Go and without having been built it is missing", () => {
  process.env.PATH = "/nowhere";
  const missing = goProgramMissingReason({ name: "example", folder, file: path.join(folder, "example") });
  // Where Go is in its usual place it is found without the path.
  expect(missing).toBe(findGo() === undefined ? "Go is not installed, which builds example" : undefined);
});

test("a lock is held by one at a time, and one that a dead process has left is taken over", async () => {
  const lock = path.join(folder, "lock");
  let inside = 0;
  const most: number[] = [];
  const work = async () => {
    inside += 1;
    most.push(inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([withLock(lock, work), withLock(lock, work), withLock(lock, work)]);
  expect(most).toStrictEqual([1, 1, 1]);
  const { stdout } = await promisify(execFile)(process.execPath, ["-p", "process.pid"]);
  fs.writeFileSync(lock, stdout.trim());
  await withLock(lock, work);
  expect(most).toStrictEqual([1, 1, 1, 1]);
  expect(fs.readdirSync(folder)).toStrictEqual([]);
});
