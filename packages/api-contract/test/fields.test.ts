import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { date, dateTime, dayParameter, email, instantParameter } from "../src/fields.ts";
import { problemsWith } from "./problems.ts";

describe("email", () => {
  const schema = z.strictObject({ email });

  test.each([
    "ada@example.com",
    "ada.lovelace+trips@mail.example.co.uk",
    "o'brien!#$%&*+/=?^_`{|}~-@example.org",
    "1@2.io",
    "a@xn--mnchen-3ya.xn--p1ai",
    `${"a".repeat(240)}@example.com`,
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
  ])("refuses %j", (value) => {
    expect(problemsWith(schema, { email: value })).toStrictEqual(["email must be an email address"]);
  });

  test("refuses one that is too long", () => {
    expect(problemsWith(schema, { email: `${"a".repeat(250)}@example.com` })).toStrictEqual([
      "email must have at most 254 characters",
    ]);
  });
});

describe("dates", () => {
  const schema = z.strictObject({ on: date });

  test.each(["2026-11-01", "2028-02-29", "2000-02-29"])("accepts %s", (on) => {
    expect(problemsWith(schema, { on })).toStrictEqual([]);
  });

  test.each([
    "2027-02-29",
    "2100-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-4-3",
    "26-04-03",
    "+012026-04-03",
    "2026-04-03T00:00:00Z",
    "today",
    "",
  ])("refuses %j", (on) => {
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
  ])("accepts %s", (at) => {
    expect(problemsWith(schema, { at })).toStrictEqual([]);
  });

  test.each([
    "2027-03-01T09:00:00",
    "2027-03-01",
    "2027-02-29T09:00:00Z",
    "2027-03-01T24:00:00Z",
    "2027-03-01T09:60:00Z",
    "2027-03-01T09:00:00+25:00",
    "2027-03-01 09:00:00Z",
    "1767225600",
    "",
  ])("refuses %j", (at) => {
    expect(problemsWith(schema, { at })).toStrictEqual([
      "at must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z",
    ]);
  });

  test("a moment of a query reads as milliseconds, its offset applied", () => {
    expect(instantParameter.parse("2027-03-01T09:00:00.5+02:00")).toBe(Date.UTC(2027, 2, 1, 7, 0, 0, 500));
  });
});
