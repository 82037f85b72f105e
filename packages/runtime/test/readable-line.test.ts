import { expect, test } from "@jest/globals";
import { createLogger } from "../src/logger.ts";
import { readableLine } from "../src/readable-line.ts";

const TIME = "2026-11-21T12:00:00.000Z";
const clock = new Date(TIME).toTimeString().slice(0, 8);
const line = (more: object) => JSON.stringify({ level: "warn", time: TIME, service: "standalone", ...more });

test("a line for people has time, level, message and fields; figures are rounded", () => {
  expect(
    readableLine(line({ msg: "slow", path: "/v1/flights", ms: 12.3456, why: "two words", list: [1] }), false),
  ).toBe(`${clock} warn  slow path=/v1/flights ms=12.3 why="two words" list=[1]\n`);
});

test("an error stands below it", () => {
  const err = { type: "StorageError", message: "no room", stack: "StorageError: no room\n    at write (a.ts:1:1)" };
  expect(readableLine(line({ msg: "not written", err }), false)).toBe(
    `${clock} warn  not written\n    StorageError: no room\n        at write (a.ts:1:1)\n`,
  );
});

test("what others wrote can't steer the terminal", () => {
  const steering = "a\u001b[2J\u009b\u007f\u202e\nb";
  const escaped = String.raw`a\u001b[2J\u009b\u007f\u202e`;
  const said = {
    msg: steering,
    field: steering,
    [steering]: 1,
    err: { message: steering, stack: `Error: ${steering}` },
  };
  expect(readableLine(line(said), false)).toBe(
    String.raw`${clock} warn  ${escaped}\u000ab field="${escaped}\nb" ${escaped}\u000ab=1` +
      `\n    Error: ${escaped}\n    b\n`,
  );
});

test("levels have colours, unless somebody wants none", () => {
  expect(readableLine(line({ msg: "slow" }), true)).toBe(
    `\u001b[90m${clock}\u001b[39m \u001b[33mwarn \u001b[39m slow\n`,
  );
});

test.each([
  [true, /^\d\d:\d\d:\d\d info {2}hello n=1\n$/],
  [false, /^\{"level":"info"/],
])("a logger for people: %p", (readable, expected) => {
  const lines: string[] = [];
  const destination = { write: (text: string) => void lines.push(text) };
  process.env.NO_COLOR = "1";
  createLogger({ level: "info", destination, readable }).info({ n: 1, name: "Ada" }, "hello");
  delete process.env.NO_COLOR;
  expect(lines[0]?.replace(/ name=\S+/, "")).toMatch(expected);
  expect(lines.join()).not.toContain("Ada");
});
