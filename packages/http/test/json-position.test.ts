import { expect, test } from "@jest/globals";
import { brokenJsonAt } from "../src/request/json-position.ts";
import { shapeProblem } from "../src/request/parse.ts";

test.each([
  ["", 1, 1],
  ["{", 1, 2],
  ['{"a":', 1, 6],
  ['{"a": tru}', 1, 7],
  ['{\n  "a": 1,\n  "b" 2\n}', 3, 7],
  ['{\r\n"a": 1,\r\n}', 3, 1],
  ['{"a":1 "b":2}', 1, 8],
  ['["a", ]', 1, 7],
  ["[1, 2", 1, 6],
  ["[1}", 1, 3],
  ["1 2", 1, 3],
  ["01", 1, 2],
  ["{'a': 1}", 1, 2],
  ['{"a": "b\nc"}', 1, 7],
  ['{"a": "\\x"}', 1, 7],
  ["\ufeff{}", 1, 1],
  ['{"a": NaN}', 1, 7],
  ["]", 1, 1],
  [",", 1, 1],
  ["[[],,[]]", 1, 5],
])("%j is broken at line %i, column %i", (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(brokenJsonAt(text)).toStrictEqual({ line, column });
});

test("a text of a megabyte is looked through once", () => {
  const text = `[${"1,".repeat(500_000)}`;
  expect(brokenJsonAt(text)).toStrictEqual({ line: 1, column: 1_000_002 });
});

const MANY = "body has too many values: at most 1000";
const DEEP = "body is nested deeper than 32 levels";

test.each([
  ["1000 entries", `[${"1,".repeat(999)}1]`, undefined],
  ["1001 entries", `[${"1,".repeat(1_000)}1]`, MANY],
  ["1001 entries, most of them empty", `[${"[ ],".repeat(1_000)}{}]`, MANY],
  ["1000 entries in all, on two levels", `[${'{"a":1},'.repeat(499)}[1]]`, undefined],
  ["1002 entries in all, on two levels", `[${'{"a":1},'.repeat(500)}[1]]`, MANY],
  ["1001 fields", `{${'"a":1,'.repeat(1_000)}"a":1}`, MANY],
  ["32 levels", "[".repeat(32), undefined],
  ["33 levels", "[".repeat(33), DEEP],
  ["33 levels of objects", '{"a":'.repeat(33), DEEP],
  ["33 levels, but never more than one at a time", "[{}],".repeat(33), undefined],
  ["commas and brackets in a text", `["${",[{".repeat(2_000)}"]`, undefined],
  ["escapes in a text", `["${'\\",'.repeat(2_000)}"]`, undefined],
  ["a text that does not end", `["${",".repeat(2_000)}`, undefined],
  ["commas behind a text that ends in an escape", `["\\\\"${",1".repeat(1_001)}]`, MANY],
])("the shape of a text is known before it is parsed: %s", (_, text, problem) => {
  expect(shapeProblem(Buffer.from(text))).toBe(problem);
});

test("a text of a megabyte of line ends is told its place", () => {
  expect(brokenJsonAt(`${"\r\n".repeat(500_000)}x`)).toStrictEqual({ line: 500_001, column: 1 });
});

test("agrees with JSON.parse wherever a text is cut", () => {
  const text = JSON.stringify(
    { a: [1, -2.5e3, "x\ny\u2028", { b: null, c: [true, false, {}] }], d: "", e: [] },
    null,
    1,
  );
  for (let length = 0; length < text.length; length += 1) {
    const cut = text.slice(0, length);
    const at = brokenJsonAt(cut);
    const before = cut.split("\n").slice(0, at.line - 1);
    const offset = before.reduce((sum, line) => sum + line.length + 1, 0) + at.column - 1;
    // All that stands before it can be the beginning of JSON: what follows it is a part of one token at most.
    expect(/^(?:"[^"]*|-|-?\d[\d.eE+-]*|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)?$/.test(cut.slice(offset))).toBe(true);
  }
});
