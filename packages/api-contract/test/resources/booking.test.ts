import { describe, expect, test } from "@jest/globals";
import { bookingQuerySchema, cancelBookingSchema, changeBookingSchema, createBookingSchema } from "../../src/index.ts";
import { problemsWith } from "../problems.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const booking = { flightId: "KP442-20270301", cabin: "economy", passengers: [ada] };
const party = (size: number) => Array.from({ length: size }, () => ada);
const seats = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}A`);

describe("create", () => {
  test.each([
    ["the least", booking],
    ["everything", { ...booking, reference: "ACME-1", holdId: "hld_1", seats: ["12A"] }],
    ["nine passengers", { ...booking, passengers: party(9), seats: seats(9) }],
    ["no seats chosen", { ...booking, seats: [] }],
    ["a reference of 64 characters", { ...booking, reference: "😀".repeat(64) }],
    ["a name with spaces around", { ...booking, passengers: [{ ...ada, name: " Ada " }] }],
  ])("accepts %s and keeps it as it is", (_case, value) => {
    expect(createBookingSchema.parse(value)).toStrictEqual(value);
  });

  const name = "passengers[0].name";
  test.each([
    ["nothing", {}, ["flightId is required", "cabin is required", "passengers is required"]],
    ["null", null, ["body must be an object"]],
    ["an array", [booking], ["body must be an object"]],
    ["a number", 4, ["body must be an object"]],
    ["a blank flight", { ...booking, flightId: " " }, ["flightId must not be blank"]],
    ["a long flight", { ...booking, flightId: "x".repeat(256) }, ["flightId must have at most 255 characters"]],
    ["a number for a flight", { ...booking, flightId: 442 }, ["flightId must be a string"]],
    ["an operator for a flight", { ...booking, flightId: { $gt: "" } }, ["flightId must be a string"]],
    [
      "an unknown cabin",
      { ...booking, cabin: "cargo" },
      ["cabin must be one of economy, premium_economy, business, first"],
    ],
    ["no passengers", { ...booking, passengers: [] }, ["passengers must have at least 1 entry"]],
    ["ten passengers", { ...booking, passengers: party(10) }, ["passengers must have at most 9 entries"]],
    ["a passenger who is none", { ...booking, passengers: ["Ada"] }, ["passengers[0] must be an object"]],
    ["passengers that are none", { ...booking, passengers: { 0: ada } }, ["passengers must be an array"]],
    ["a blank name", { ...booking, passengers: [{ ...ada, name: "  " }] }, [`${name} must not be blank`]],
    [
      "a long name",
      { ...booking, passengers: [{ ...ada, name: "x".repeat(201) }] },
      [`${name} must have at most 200 characters`],
    ],
    [
      "a wrong email",
      { ...booking, passengers: [ada, { ...ada, email: "ada" }] },
      ["passengers[1].email must be an email address"],
    ],
    ["no email", { ...booking, passengers: [{ name: "Ada" }] }, ["passengers[0].email is required"]],
    [
      "unknown fields",
      { ...booking, passengers: [{ ...ada, age: 36, vip: true }], totalAmount: 1 },
      [
        "passengers[0].age is not a known field",
        "passengers[0].vip is not a known field",
        "totalAmount is not a known field",
      ],
    ],
    ["a long reference", { ...booking, reference: "x".repeat(65) }, ["reference must have at most 64 characters"]],
    ["a null reference", { ...booking, reference: null }, ["reference must be a string"]],
    ["a null hold", { ...booking, holdId: null }, ["holdId must be a string"]],
    ["a seat twice", { ...booking, seats: ["1A", "2A", "1A"] }, ["seats[2] is named twice"]],
    ["ten seats", { ...booking, seats: seats(10) }, ["seats must have at most 9 entries"]],
    ["a blank seat", { ...booking, seats: [""] }, ["seats[0] must not be blank"]],
    ["a number for a seat", { ...booking, seats: [12] }, ["seats[0] must be a string"]],
    ["a text for seats", { ...booking, seats: "12A" }, ["seats must be an array"]],
  ])("refuses %s", (_case, value, problems) => {
    expect(problemsWith(createBookingSchema, value)).toStrictEqual(problems);
  });
});

describe("change", () => {
  test.each([
    ["nothing", {}],
    ["a reference taken away", { reference: null }],
    ["as many passengers and seats as may be, even none", { passengers: [], seats: [] }],
    ["everything", { reference: "r", passengers: party(2), seats: ["1A", "1B"], holdId: "hld_1" }],
  ])("accepts %s", (_case, value) => {
    expect(changeBookingSchema.parse(value)).toStrictEqual(value);
  });

  test.each([
    ["a null passenger list", { passengers: null }, ["passengers must be an array"]],
    ["the status", { status: "confirmed" }, ["status is not a known field"]],
    ["a number for a reference", { reference: 3 }, ["reference must be a string"]],
    ["a seat twice", { seats: ["1A", "1A"] }, ["seats[1] is named twice"]],
  ])("refuses %s", (_case, value, problems) => {
    expect(problemsWith(changeBookingSchema, value)).toStrictEqual(problems);
  });
});

describe("cancel", () => {
  test.each([[{}], [{ reason: "" }], [{ reason: "x".repeat(500) }]])("accepts %j", (value) => {
    expect(cancelBookingSchema.parse(value)).toStrictEqual(value);
  });

  test.each([
    [{ reason: "x".repeat(501) }, "reason must have at most 500 characters"],
    [{ reason: null }, "reason must be a string"],
    [{ refund: true }, "refund is not a known field"],
  ])("refuses %j", (value, problem) => {
    expect(problemsWith(cancelBookingSchema, value)).toStrictEqual([problem]);
  });
});

test("asOf reads as milliseconds", () => {
  expect(bookingQuerySchema.parse({})).toStrictEqual({});
  expect(bookingQuerySchema.parse({ asOf: "2027-03-01T00:00:00Z" })).toStrictEqual({ asOf: Date.UTC(2027, 2, 1) });
  expect(problemsWith(bookingQuerySchema, { asOf: "2027-03-01", expand: "x" }, "query")).toStrictEqual([
    "asOf must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z",
    "expand is not a known parameter",
  ]);
});
