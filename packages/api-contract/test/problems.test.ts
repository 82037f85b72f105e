import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { text } from "../src/fields.ts";
import { validationMessage } from "../src/validation.ts";
import { problemsWith } from "./problems.ts";

const schema = z.strictObject({
  name: text({ max: 3, blank: "refused" }),
  items: z.array(z.strictObject({ a: z.literal(1) })).optional(),
  byName: z.record(z.string(), text({ max: 3, blank: "accepted" })).optional(),
});

describe("the path of a field", () => {
  test.each([
    ["the whole body", [], "body must be an object"],
    ["an unknown field", { name: "x", extra: 1 }, "extra is not a known field"],
    ["an unknown field with an odd name", { name: "x", "$gt ": 1 }, '["$gt "] is not a known field'],
    ["an unknown field without a name", { name: "x", "": 1 }, '[""] is not a known field'],
    ["an unknown field inside", { name: "x", items: [{ a: 1, b: 2 }] }, "items[0].b is not a known field"],
    ["a free key", { name: "x", byName: { key: "long" } }, "byName.key must have at most 3 characters"],
    ["a free key with a dot", { name: "x", byName: { "a.b": "long" } }, 'byName["a.b"] must have at most 3 characters'],
  ])("%s", (_case, value, problem) => {
    expect(problemsWith(schema, value)).toStrictEqual([problem]);
  });

  test.each(["", "x", "a text longer than the list may be"])("a text where a list is expected: %j", (list) => {
    const lists = z.strictObject({ list: z.array(z.string(), { error: validationMessage }).min(1).max(3) });
    expect(problemsWith(lists, { list })).toStrictEqual(["list must be an array"]);
  });

  test("a long key is cut short", () => {
    expect(problemsWith(schema, { name: "x", ["k".repeat(1_000)]: 1 })).toStrictEqual([
      `["${"k".repeat(64)}…"] is not a known field`,
    ]);
  });

  test("one entry per problem, an unknown field each", () => {
    expect(problemsWith(schema, { one: 1, two: 2 })).toStrictEqual([
      "name is required",
      "one is not a known field",
      "two is not a known field",
    ]);
  });

  test("a query has parameters", () => {
    expect(problemsWith(schema, { name: "x", extra: "1" }, "query")).toStrictEqual(["extra is not a known parameter"]);
  });
});

describe("text", () => {
  test.each([
    ["", "name must not be blank"],
    [" \t\n", "name must not be blank"],
    ["\u3000", "name must not be blank"],
    ["abcd", "name must have at most 3 characters"],
    ["a".repeat(100_000), "name must have at most 3 characters"],
    ["😀😀😀😀", "name must have at most 3 characters"],
    ["a\ud800", "name must be well-formed Unicode"],
    [7, "name must be a string"],
    [null, "name must be a string"],
    [["a"], "name must be a string"],
    [{ $gt: "" }, "name must be a string"],
    [undefined, "name is required"],
  ])("refuses %j", (name, problem) => {
    expect(problemsWith(schema, { name })).toStrictEqual([problem]);
  });

  test.each(["abc", " a ", "😀😀😀", "e\u0301"])("keeps %j as it is", (name) => {
    expect(schema.parse({ name })).toStrictEqual({ name });
  });
});
