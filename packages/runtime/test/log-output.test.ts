import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { LogOutput } from "../src/log-output.ts";

let room: number;
let written: string;
let dropped: number[];
let output: LogOutput;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["performance"] });
  room = 0;
  written = "";
  dropped = [];
  output = new LogOutput({
    write: (bytes) => {
      if (room === 0) throw Object.assign(new Error("full"), { code: "EAGAIN" });
      const taken = Math.min(room, bytes.length);
      room -= taken;
      written += Buffer.from(bytes.subarray(0, taken)).toString();
      return taken;
    },
    onDropped: (lines) => dropped.push(lines),
  });
});
afterEach(() => void jest.useRealTimers());

const lineOf = (level: string, msg: string) => `{"level":"${level}","msg":"${msg}"}\n`;

test("lines are written at once, and whole in their order where there is little room", () => {
  room = 10;
  for (const line of ["first\n", "second\n", "third\n"]) output.write(line);
  expect(written).toBe("first\nseco");
  room = 4;
  jest.advanceTimersByTime(100);
  expect(written).toBe("first\nsecond\nt");
  output.write("fourth\n");
  room = 100;
  jest.advanceTimersByTime(100);
  expect([written, dropped]).toStrictEqual(["first\nsecond\nthird\nfourth\n", []]);
});

test("what there is no room for is dropped and counted; errors longest", () => {
  const debug = lineOf("debug", "x".repeat(1_000));
  const error = lineOf("error", "y".repeat(900));
  for (let count = 0; count < 3_000; count += 1) output.write(debug);
  output.write(error);
  room = Infinity;
  jest.advanceTimersByTime(100);
  const lines = written.split("\n").map((line) => line.length + 1);
  const kept = Math.ceil(1_048_576 / debug.length);
  expect(lines.filter((length) => length === debug.length)).toHaveLength(kept);
  expect([written.endsWith(error), dropped]).toStrictEqual([true, [3_000 - kept]]);
});

test("errors have an end, too", () => {
  const error = lineOf("error", "x".repeat(1_000));
  for (let count = 0; count < 3_000; count += 1) output.write(error);
  room = Infinity;
  jest.advanceTimersByTime(100);
  expect(written.split("\n")).toHaveLength(1 + Math.ceil(2_097_152 / error.length));
});

test("a reader that is gone is nobody's error", () => {
  const gone = new LogOutput({
    write: () => {
      throw Object.assign(new Error("gone"), { code: "EPIPE" });
    },
    onDropped: (lines) => dropped.push(lines),
  });
  for (let count = 0; count < 3_000; count += 1) gone.write("x".repeat(1_000));
  expect(dropped).toStrictEqual([]);
});

test("the last lines wait for room a moment, and no longer", () => {
  jest.useRealTimers();
  output.write("last\n");
  output.flushSync();
  expect(written).toBe("");
  room = 100;
  output.flushSync();
  expect(written).toBe("last\n");
});

test("a log that nobody reads does not stop its process, which tells later what is missing", async () => {
  jest.useRealTimers();
  const child = spawn(process.execPath, [new URL("children/much-log.ts", import.meta.url).pathname]);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  await once(child.stdout, "data");
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const [code] = await once(child, "close");
  const lines = log
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { lines: missing } = lines.find(({ level }) => level === "error");
  expect([code, said, lines.at(-1)?.msg]).toStrictEqual([0, "still here\n", "the end"]);
  expect(lines.filter(({ msg }) => msg === "much")).toHaveLength(5_000 - missing);
});
