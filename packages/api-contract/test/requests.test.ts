import { describe, expect, test } from "@jest/globals";
import { PUBLIC_EVENT_TYPES } from "@travel-booking/domain";
import {
  bookingQuerySchema,
  cancelBookingSchema,
  changeBookingSchema,
  changeWebhookEndpointSchema,
  createBookingSchema,
  createPaymentSchema,
  createRefundSchema,
  createWebhookEndpointSchema,
  destinationListQuerySchema,
  eventJson,
  eventListQuerySchema,
  eventSchema,
  flightListQuerySchema,
  flightSearchQuerySchema,
  pageQuerySchema,
  seatHoldRequestSchema,
  tokenRequestSchema,
} from "../src/index.ts";
import { problemsWith } from "./problems.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const booking = { flightId: "KP442-20270301", cabin: "economy", passengers: [ada] };
const party = (size: number) => Array.from({ length: size }, () => ada);
const seats = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}A`);

describe("create a booking", () => {
  test.each([
    ["the least", booking],
    ["everything", { ...booking, reference: "ACME-1", holdId: "hld_1", seats: ["12A"] }],
    ["nine passengers", { ...booking, passengers: party(9), seats: seats(9) }],
    ["no seats chosen", { ...booking, seats: [] }],
    ["a reference of 64 characters", { ...booking, reference: "😀".repeat(64) }],
    ["a saved passenger beside another", { ...booking, passengers: [ada, { passengerId: "psg_1" }] }],
    ["a name with spaces around", { ...booking, passengers: [{ ...ada, name: " Ada " }] }],
  ])("accepts %s and keeps it as it is", (_case, value) => {
    expect(createBookingSchema.parse(value)).toStrictEqual(value);
  });

  const name = "passengers[0].name";
  const saved = (passenger: object) => ({ ...booking, passengers: [passenger] });
  const NEITHER = "passengers[0] must have name and email, or passengerId";
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
    ["a number for a saved passenger", saved({ passengerId: 5 }), ["passengers[0].passengerId must be a string"]],
    ["more than a saved passenger", saved({ passengerId: "p", age: 36 }), ["passengers[0].age is not a known field"]],
    ["a saved passenger with a name", saved({ passengerId: "p", name: "Ada" }), [NEITHER]],
    ["a saved passenger with everything", saved({ passengerId: "p", ...ada }), [NEITHER]],
    ["nobody", saved({}), ["passengers[0].name is required", "passengers[0].email is required"]],
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

describe("change a booking", () => {
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
    [
      "a saved passenger",
      { passengers: [{ passengerId: "p" }] },
      ["name is required", "email is required", "passengerId is not a known field"].map(
        (end) => `passengers[0].${end}`,
      ),
    ],
    ["a number for a reference", { reference: 3 }, ["reference must be a string"]],
    ["a seat twice", { seats: ["1A", "1A"] }, ["seats[1] is named twice"]],
  ])("refuses %s", (_case, value, problems) => {
    expect(problemsWith(changeBookingSchema, value)).toStrictEqual(problems);
  });
});

describe("cancel a booking", () => {
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

const card = { type: "card", token: "tok_visa" };
const wallet = { type: "wallet", walletType: "apple_pay", token: "tok_visa" };
const transfer = { type: "bank_transfer" };
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

describe("pay for a booking", () => {
  test.each([
    ["a card", card, { ...card, saveCard: false }],
    ["a card to save", { ...card, saveCard: true }, { ...card, saveCard: true }],
    ["a wallet", wallet, wallet],
    ["a transfer", transfer, transfer],
    ["twenty pairs", { ...transfer, metadata: pairs(20) }, { ...transfer, metadata: pairs(20) }],
    [
      "a long value",
      { ...transfer, metadata: { a: "x".repeat(500) } },
      { ...transfer, metadata: { a: "x".repeat(500) } },
    ],
    ["an empty value", { ...transfer, metadata: { a: "" } }, { ...transfer, metadata: { a: "" } }],
    ["no pairs", { ...wallet, metadata: {} }, { ...wallet, metadata: {} }],
  ])("accepts %s", (_case, value, parsed) => {
    expect(createPaymentSchema.parse(value)).toStrictEqual(parsed);
  });

  const TYPES = "type must be one of card, wallet, bank_transfer";
  test.each([
    ["nothing", {}, [TYPES]],
    ["null", null, ["body must be an object"]],
    ["an array", [], ["body must be an object"]],
    ["an unknown type", { type: "cash" }, [TYPES]],
    ["a number for a type", { type: 1, token: "x" }, [TYPES]],
    ["a name of every object", { type: "constructor" }, [TYPES]],
    ["a card without a token", { type: "card" }, ["token is required"]],
    ["a blank token", { ...card, token: "" }, ["token must not be blank"]],
    ["a long token", { ...card, token: "x".repeat(256) }, ["token must have at most 255 characters"]],
    ["a text for saveCard", { ...card, saveCard: "true" }, ["saveCard must be true or false"]],
    ["a card with a wallet", { ...card, walletType: "paypal" }, ["walletType is not a known field"]],
    ["a wallet without anything", { type: "wallet" }, ["walletType is required", "token is required"]],
    [
      "an unknown wallet",
      { ...wallet, walletType: "purse" },
      ["walletType must be one of apple_pay, google_pay, samsung_pay, paypal"],
    ],
    ["a wallet to save", { ...wallet, saveCard: true }, ["saveCard is not a known field"]],
    ["a transfer with a token", { ...transfer, token: "x" }, ["token is not a known field"]],
    ["an amount", { ...card, amount: 1 }, ["amount is not a known field"]],
    ["too many pairs", { ...card, metadata: pairs(21) }, ["metadata must have at most 20 keys"]],
    ["a long value", { ...card, metadata: { a: "x".repeat(501) } }, ["metadata.a must have at most 500 characters"]],
    [
      "a number for a value",
      { ...card, metadata: { a: 1, b: null } },
      ["metadata.a must be a string", "metadata.b must be a string"],
    ],
    ["a blank key", { ...card, metadata: { " ": "x" } }, ['metadata[" "]: the key must not be blank']],
    ["a list for pairs", { ...card, metadata: [] }, ["metadata must be an object"]],
    ["null for pairs", { ...card, metadata: null }, ["metadata must be an object"]],
  ])("refuses %s", (_case, value, problems) => {
    expect(problemsWith(createPaymentSchema, value)).toStrictEqual(problems);
  });
});

describe("refund", () => {
  test.each([
    [{}, { reason: "requested_by_customer" }],
    [{ amount: 1 }, { reason: "requested_by_customer", amount: 1 }],
    [
      { reason: "duplicate", amount: 9_007_199_254_740_991 },
      { reason: "duplicate", amount: 9_007_199_254_740_991 },
    ],
  ])("accepts %j", (value, parsed) => {
    expect(createRefundSchema.parse(value)).toStrictEqual(parsed);
  });

  test.each([
    [{ amount: 0 }, "amount must be at least 1"],
    [{ amount: -5 }, "amount must be at least 1"],
    [{ amount: 1.5 }, "amount must be a whole number"],
    [{ amount: "100" }, "amount must be a number"],
    [{ amount: null }, "amount must be a number"],
    [{ amount: Number.POSITIVE_INFINITY }, "amount must be a finite number"],
    [{ amount: 1e300 }, "amount must be at most 9007199254740991"],
    [
      { reason: "because" },
      "reason must be one of requested_by_customer, duplicate, fraudulent, booking_cancelled, flight_cancelled, other",
    ],
    [{ currency: "USD" }, "currency is not a known field"],
  ])("refuses %j", (value, problem) => {
    expect(problemsWith(createRefundSchema, value)).toStrictEqual([problem]);
  });
});

const TYPES = PUBLIC_EVENT_TYPES.join(", ");

describe("the list of events", () => {
  test("takes filters, an order, a place to go on from, and a wait", () => {
    expect(eventListQuerySchema.parse({})).toStrictEqual({ wait: 0, limit: 20 });
    const query = {
      type: "payment.failed,hold.expired,payment.failed",
      bookingId: "bkg_1",
      createdAfter: "2027-01-01T00:00:00Z",
      createdBefore: "2027-01-01T02:00:00+01:00",
      order: "asc",
      after: "evt_1",
      wait: "30",
      limit: "5",
      cursor: "c",
    };
    expect(eventListQuerySchema.parse(query)).toStrictEqual({
      ...query,
      type: ["payment.failed", "hold.expired"],
      createdAfter: Date.UTC(2027, 0, 1),
      createdBefore: Date.UTC(2027, 0, 1, 1),
      wait: 30,
      limit: 5,
    });
  });

  test.each([
    [{ type: "booking.confirmed,booking.booked" }, `type[1] must be one of ${TYPES}`],
    [{ type: "" }, `type[0] must be one of ${TYPES}`],
    [{ bookingId: "" }, "bookingId must not be blank"],
    [
      { createdAfter: "today" },
      "createdAfter must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z",
    ],
    [{ order: "up" }, "order must be one of asc, desc"],
    [{ after: "" }, "after must not be blank"],
    [{ after: "evt_1", order: "desc" }, "order must be asc where after is given"],
    ...["31", "-1", "1.5", "", "01", "030", "x"].map(
      (wait) => [{ wait }, "wait must be a whole number from 0 to 30"] as const,
    ),
  ])("refuses %j", (query, problem) => {
    expect(problemsWith(eventListQuerySchema, query, "query")).toStrictEqual([problem]);
  });
});

describe("a webhook endpoint", () => {
  test.each([
    [{ url: "https://example.com" }, "events is required"],
    [{ events: ["booking.changed"] }, "url is required"],
    [{ url: "https://example.com", events: [] }, "events must have at least 1 entry"],
    [{ url: "https://example.com", events: ["*", "booking.*"] }, `events[1] must be one of ${TYPES}, *`],
    [{ url: "https://example.com", events: ["booking.changed", "booking.changed"] }, "events[1] is named twice"],
    [
      { url: `https://example.com/${"x".repeat(2_048)}`, events: ["booking.changed"] },
      "url must have at most 2048 characters",
    ],
  ])("is refused: %#", (body, problem) => {
    expect(problemsWith(createWebhookEndpointSchema, body)).toStrictEqual([problem]);
  });
});

describe("the headers of a webhook endpoint", () => {
  const problemsOf = (headers: unknown) => problemsWith(changeWebhookEndpointSchema, { headers });

  test("are up to ten, of any case, with visible values", () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`X-Own-${n}`, "~ !"]));
    for (const headers of [{}, ten, { Authorization: "Bearer abc.def", "x-a_b.c": "v", Contents: "1", hosts: "h" }]) {
      expect(changeWebhookEndpointSchema.parse({ headers })).toStrictEqual({ headers });
    }
    expect(problemsOf({ ...ten, more: "1" })).toStrictEqual(["headers must have at most 10 names"]);
    expect(problemsOf({ "X-Key": "1", "x-key": "2" })).toStrictEqual([
      "headers must have each name once, whatever its case",
    ]);
  });

  test.each([
    "Host",
    "CONTENT-TYPE",
    "content-anything",
    "Connection",
    "te",
    "Expect",
    "Webhook-Id",
    "service-signature",
    "user-agent",
    "",
    "a b",
    "ä",
    "x".repeat(65),
  ])("have no name %j", (name) => {
    expect(problemsOf({ [name]: "v" })).not.toStrictEqual([]);
  });

  test.each(["", " v", "v ", "a\tb", "a\nb", "ä", "x".repeat(1_025)])("have no value %j", (value) => {
    expect(problemsOf({ "X-Key": value })).not.toStrictEqual([]);
  });

  test.each([0, 1.5, 1_001, "7"])("has no pace of %j", (maxPerSecond) => {
    expect(problemsWith(changeWebhookEndpointSchema, { maxPerSecond })).not.toStrictEqual([]);
  });
});

test("the JSON of an event is one an account may be sent", () => {
  const booking = {
    id: "bkg_1",
    status: "pending",
    cabin: "economy",
    flightId: "f",
    passengers: [],
    totalAmount: 0,
    currency: "USD",
    documents: [],
    seats: [],
    createdAt: "2027-01-01T00:00:00.000Z",
  };
  const head = { id: "evt_1", at: Date.UTC(2027, 0, 1) };
  const changed = eventJson({ ...head, type: "booking.changed" }, JSON.stringify(booking), { reference: null });
  expect(eventSchema.parse(JSON.parse(changed))).toStrictEqual({
    id: "evt_1",
    type: "booking.changed",
    createdAt: "2027-01-01T00:00:00.000Z",
    apiVersion: "2026-11-01",
    data: { object: booking, previousAttributes: { reference: null } },
  });
  const cancelled = eventJson({ ...head, type: "booking.cancelled" }, JSON.stringify(booking));
  expect(JSON.parse(cancelled).data).toStrictEqual({ object: booking, previousAttributes: null });
  const mixed = eventJson({ ...head, type: "payment.failed" }, JSON.stringify(booking));
  expect(eventSchema.safeParse(JSON.parse(mixed)).success).toBe(false);
});

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
      problemsWith(flightListQuerySchema, { departsAfter: "soon", destinationId: "", to: "LEO" }, "query"),
    ).toStrictEqual([
      "departsAfter must be a date of the form YYYY-MM-DD",
      "destinationId must not be blank",
      "to is not a known parameter",
    ]);
    const refused = { departsBefore: "2027-02-29", from: "leo", cabin: "all" };
    expect(problemsWith(flightListQuerySchema, refused, "query")).toStrictEqual([
      "departsBefore is not a day of the calendar",
      "from must be a spaceport code of 2 to 8 capital letters and digits",
      "cabin must be one of economy, premium_economy, business, first",
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
