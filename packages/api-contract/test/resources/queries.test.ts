import { describe, expect, test } from "@jest/globals";
import {
  destinationListQuerySchema,
  flightListQuerySchema,
  flightSearchQuerySchema,
  pageQuerySchema,
  seatHoldRequestSchema,
  tokenRequestSchema,
} from "../../src/index.ts";
import { problemsWith } from "../problems.ts";

describe("pages", () => {
  test.each([
    [{}, { limit: 20 }],
    [{ limit: "1" }, { limit: 1 }],
    [
      { limit: "100", cursor: "abc" },
      { limit: 100, cursor: "abc" },
    ],
  ])("accepts %j", (query, parsed) => {
    expect(pageQuerySchema.parse(query)).toStrictEqual(parsed);
  });

  test.each(["0", "101", "-1", "1.5", "1e1", " 5", "05", "", "many", "9".repeat(400)])("refuses limit %j", (limit) => {
    expect(problemsWith(pageQuerySchema, { limit }, "query")).toStrictEqual([
      "limit must be a whole number from 1 to 100",
    ]);
  });

  test.each([
    [{ cursor: "" }, "cursor must not be blank"],
    [{ cursor: "x".repeat(2_049) }, "cursor must have at most 2048 characters"],
    [{ page: "2" }, "page is not a known parameter"],
    [{ limit: ["1", "2"] }, "limit must be a string"],
  ])("refuses %j", (query, problem) => {
    expect(problemsWith(pageQuerySchema, query, "query")).toStrictEqual([problem]);
  });
});

describe("filters", () => {
  test("destinations by climate", () => {
    expect(destinationListQuerySchema.parse({ climate: "polar" })).toStrictEqual({ climate: "polar", limit: 20 });
    expect(problemsWith(destinationListQuerySchema, { climate: "mild" }, "query")).toStrictEqual([
      "climate must be one of temperate, tropical, arid, continental, polar, oceanic, volcanic, gaseous",
    ]);
  });

  test("flights by day and destination", () => {
    expect(flightListQuerySchema.parse({ departsAfter: "2027-03-01", destinationId: "ross-128-b" })).toStrictEqual({
      departsAfter: Date.UTC(2027, 2, 1),
      destinationId: "ross-128-b",
      limit: 20,
    });
    expect(
      problemsWith(flightListQuerySchema, { departsAfter: "soon", destinationId: "", from: "LEO" }, "query"),
    ).toStrictEqual([
      "departsAfter must be a date of the form YYYY-MM-DD",
      "destinationId must not be blank",
      "from is not a known parameter",
    ]);
  });

  test("the legacy search has no pages", () => {
    expect(flightSearchQuerySchema.parse({ date: "2027-03-01" })).toStrictEqual({ date: Date.UTC(2027, 2, 1) });
    expect(problemsWith(flightSearchQuerySchema, { limit: "5" }, "query")).toStrictEqual([
      "limit is not a known parameter",
    ]);
  });
});

describe("seat holds", () => {
  test.each([
    [{}, "seats is required"],
    [{ seats: [] }, "seats must have at least 1 entry"],
    [{ seats: Array.from({ length: 10 }, (_, index) => `1${index}A`) }, "seats must have at most 9 entries"],
    [{ seats: ["1A", "1A"] }, "seats[1] is named twice"],
    [{ seats: ["1A"], cabin: "economy" }, "cabin is not a known field"],
  ])("refuses %j", (body, problem) => {
    expect(problemsWith(seatHoldRequestSchema, body)).toStrictEqual([problem]);
  });

  test("accepts seats of any name: whether they exist is the flight's to say", () => {
    expect(seatHoldRequestSchema.parse({ seats: ["29F", "ZZ"] })).toStrictEqual({ seats: ["29F", "ZZ"] });
  });
});

describe("token request", () => {
  test("ignores what it does not know", () => {
    const form = { grant_type: "client_credentials", client_id: "c", client_secret: "s", resource: "x" };
    expect(tokenRequestSchema.parse(form)).toStrictEqual({
      grant_type: "client_credentials",
      client_id: "c",
      client_secret: "s",
    });
  });

  test("needs a grant type", () => {
    expect(problemsWith(tokenRequestSchema, {})).toStrictEqual(["grant_type is required"]);
  });
});
