import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { date, dateTime, dayParameter, email, instantParameter, nextInstantParameter, text } from "../src/fields.ts";
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

  test.each([
    ["names", "did you mean name?"],
    ["NAME", "did you mean name?"],
    ["item", "did you mean items?"],
    ["by_name", "did you mean byName?"],
    ["ITEMS_", "did you mean items?"],
  ])("a wrong field near a known one, %s, names it", (wrong, hint) => {
    expect(problemsWith(schema, { name: "x", [wrong]: 1 })).toStrictEqual([`${wrong} is not a known field; ${hint}`]);
  });

  test("where no field is known, none is near", () => {
    expect(problemsWith(z.strictObject({}), { "-": 1 })).toStrictEqual(['["-"] is not a known field']);
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

describe("email", () => {
  const schema = z.strictObject({ email });

  test.each([
    "ada@example.com",
    "ada.lovelace+trips@mail.example.co.uk",
    "o'brien!#$%&*+/=?^_`{|}~-@example.org",
    "1@2.io",
    "a@xn--mnchen-3ya.xn--p1ai",
    `${"a".repeat(64)}@example.com`,
  ])("accepts %s", (value) => {
    expect(problemsWith(schema, { email: value })).toStrictEqual([]);
  });

  test.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    ".ada@example.com",
    "ada.@example.com",
    "a..b@example.com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@example..com",
    "ada@example.1",
    "ada lovelace@example.com",
    " ada@example.com",
    "ada@example.com\n",
    "Ada <ada@example.com>",
    `${"a".repeat(65)}@example.com`,
  ])("refuses %j", (value) => {
    expect(problemsWith(schema, { email: value })).toStrictEqual(["email must be an email address"]);
  });

  test("refuses one that is too long", () => {
    expect(problemsWith(schema, { email: `a@${"b.".repeat(125)}example.com` })).toStrictEqual([
      "email must have at most 254 characters",
    ]);
  });
});

describe("dates", () => {
  const schema = z.strictObject({ on: date });

  test.each(["2026-11-01", "2028-02-29", "2000-02-29"])("accepts %s", (on) => {
    expect(problemsWith(schema, { on })).toStrictEqual([]);
  });

  test.each(["2027-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31"])("there is no %s", (on) => {
    expect(problemsWith(schema, { on })).toStrictEqual(["on is not a day of the calendar"]);
  });

  test.each(["2026-4-3", "26-04-03", "+012026-04-03", "2026-04-03T00:00:00Z", "today", ""])("refuses %j", (on) => {
    expect(problemsWith(schema, { on })).toStrictEqual(["on must be a date of the form YYYY-MM-DD"]);
  });

  test("a day of a query reads as its first moment in UTC", () => {
    expect(dayParameter.parse("2027-03-01")).toBe(Date.UTC(2027, 2, 1));
  });
});

describe("date-times", () => {
  const schema = z.strictObject({ at: dateTime });

  test.each([
    "2027-03-01T09:00:00Z",
    "2027-03-01T09:00:00.123Z",
    "2027-03-01T09:00:00+05:30",
    "2027-03-01T23:59:59-11:00",
    "2027-03-01t09:00:00z",
  ])("accepts %s", (at) => {
    expect(problemsWith(schema, { at })).toStrictEqual([]);
  });

  test.each(["2027-02-29T09:00:00Z", "2027-03-01T24:00:00Z", "2027-03-01T09:60:00Z", "2027-03-01T09:00:00+25:00"])(
    "there is no %s",
    (at) => {
      expect(problemsWith(schema, { at })).toStrictEqual(["at is not a moment of the calendar"]);
    },
  );

  test.each(["2027-03-01T09:00:00", "2027-03-01", "2027-03-01 09:00:00Z", "1767225600", ""])("refuses %j", (at) => {
    expect(problemsWith(schema, { at })).toStrictEqual([
      "at must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z",
    ]);
  });

  test.each(["2027-03-01T09:00Z", "2027-03-01t09:00+01:00"])("%s lacks its seconds", (at) => {
    expect(problemsWith(schema, { at })).toStrictEqual(["at must have seconds, as in 2027-03-01T09:00:00Z"]);
  });

  test("finer than milliseconds, what comes after a moment begins with it, and what comes before it ends with the next", () => {
    const at = Date.UTC(2027, 2, 1, 9, 0, 0, 795);
    for (const [moment, next] of [
      ["2027-03-01T09:00:00.795Z", at],
      ["2027-03-01T09:00:00.795000Z", at],
      ["2027-03-01T09:00:00.795456Z", at + 1],
      ["2027-03-01t10:00:00.7950001+01:00", at + 1],
    ] as const)
      expect([instantParameter.parse(moment), nextInstantParameter.parse(moment)]).toStrictEqual([at, next]);
  });

  test("a moment of a query reads as milliseconds, its offset applied", () => {
    expect(instantParameter.parse("2027-03-01T09:00:00.5+02:00")).toBe(Date.UTC(2027, 2, 1, 7, 0, 0, 500));
  });
});

describe("a text that people read", () => {
  const schema = z.strictObject({ name: text({ max: 20, blank: "refused", line: true }) });

  test.each(["\u200b", "\u2060\ufeff", "\u3164", "\u2800", "\u00ad \t", "\u034f", "\u{e0041}"])(
    "of nothing visible is refused: %j",
    (name) => {
      expect(problemsWith(schema, { name })).toStrictEqual(["name must not be blank"]);
    },
  );

  test.each(["Ada\nLovelace", "Ada\r", "\u2028Ada", "Ada\u2029", "Ada\u0085Lovelace", "Ada\u000b"])(
    "with a line end is refused: %j",
    (name) => {
      expect(problemsWith(schema, { name })).toStrictEqual(["name must not contain a line end"]);
    },
  );

  test.each(["नी‍ल", "می‌خواهم", "👩‍🚀", "ᅠ김"])("may have what joins letters: %s", (name) => {
    expect(problemsWith(schema, { name })).toStrictEqual([]);
    expect(new RegExp(String(schema.shape.name.meta()?.pattern), "u").test(name)).toBe(true);
  });
});
