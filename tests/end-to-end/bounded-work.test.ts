import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  type BookingBody,
  bodyLimitOf,
  type DisruptionBody,
  type EventBody,
  type NewWebhookEndpointBody,
  type Operation,
  operations,
  type PassengerProfileBody,
} from "@travel-booking/api-contract";
import { DAY } from "@travel-booking/domain";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import type { ZodType, z } from "zod";
import { serializeBody } from "../support/serialize-body.ts";
import { until } from "../support/until.ts";
import { expectStatus, newKey, type Page } from "./kit/client.ts";
import { feed } from "./kit/feed.ts";
import { BODIES, FILLS, type Fill } from "./kit/hostile-texts.ts";
import { type Known, largestOf, nameOf, overlongOf } from "./kit/largest.ts";
import { givePoints } from "./kit/loyalty.ts";
import { formOf, type OAuthClient, oauthClient } from "./kit/oauth.ts";
import { MULTIPART, multipartOf } from "./kit/upload.ts";
import { WorkCounter } from "./kit/work-counter.ts";
import { openWorld, type World } from "./kit/world.ts";

/** What one request may cost the request thread: so much, and so much for each byte that is sent or answered. */
const BUDGET = {
  blocks: { once: 100_000, perByte: 8 },
  characters: { once: 500_000, perByte: 20 },
} as const;
/** Bytes of uploads beyond that come and go in pieces. */
const MOST_BYTES = 450_000;

/**
 * All that go over long texts, but those of paths, as the counter sees no steps back: their time grows with the text's length. Each
 * begins at one place, or goes on from any place for a bounded length, or has one character. One that comes to be here is to be
 * looked at.
 */
const EXPRESSIONS = [
  '/"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/',
  '/[ \\t\\r\\n]*(?:([{}[\\],:])|("(?:[^"\\\\\\x00-\\x1f]|\\\\(?:["\\\\/bfnrt]|u[\\dA-Fa-f]{4}))*")|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)/y',
  '/"\\\\u007f(\\d+)"/g',
  "/[%+]/",
  "/[\\0-\\x1f\\x7f-\\x9f]/",
  "/[\\n\\v\\f\\r\\u0085\\u2028\\u2029]/",
  "/[\\uD800-\\uDBFF]/",
  "/[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb]/u",
  "/^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$/",
  "/^(?:0|[1-9]\\d*)$/",
  "/^(?=[^@]{1,64}@)[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/",
  "/^[!-~](?:[ -~]*[!-~])?$/",
  "/^[A-Z]{2}$/",
  "/^[A-Za-z0-9._-]{1,128}$/",
  "/^\\d{4}-\\d\\d-\\d\\d$/",
  "/^https?:\\/\\/(?:[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2}|\\[[\\da-f:.]+\\])+(?:\\/(?:[\\w.~!$&'()*+,;=:@/-]|%[\\da-f]{2})*)?(?:\\?(?:[\\w.~!$&'()*+,;=:@/?-]|%[\\da-f]{2})*)?(?:#(?:[\\w.~!$&'()*+,;=:@/?-]|%[\\da-f]{2})*)?$/i",
];

let receiver: Receiver;
let world: World;
let counter: WorkCounter;
let paid: BookingBody;
let saved: PassengerProfileBody;
let endpoint: NewWebhookEndpointBody;
let event: EventBody;
let disruption: DisruptionBody;
let late: DisruptionBody;
let offered: DisruptionBody;
let oauth: OAuthClient;

beforeAll(async () => {
  receiver = await Receiver.start();
  world = await openWorld({
    flights: [
      { id: "LARGE", departsIn: 400, rows: [20, 199] },
      { id: "GONE", departsIn: 400 },
      { id: "LATE", departsIn: 400 },
      { id: "OFFER", departsIn: 400 },
    ],
    env: {
      NODE_OPTIONS: "--inspect=127.0.0.1:0",
      WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
      QUOTA_UNPAID_SEATS_PERCENT: "100",
    },
  });
  counter = await WorkCounter.attach(world.service.stderr);
  await givePoints(world, world.accountOf.alice, 10_000_000);
  oauth = await oauthClient(world, world.accountOf.alice);
  const { alice } = world;
  // Of what never happens here: deliveries would be counted.
  const events = ["payment.failed"];
  endpoint = expectStatus(201, await alice.post("/v1/webhook-endpoints", { url: receiver.url, events }));
  paid = await newBooking(FILLS.letters as Fill, true);
  for (const { email } of paid.passengers) await newPassenger(FILLS.letters as Fill, { email });
  saved = await newPassenger(FILLS.letters as Fill);
  event = (await feed(alice, {})).data[0] as EventBody;
  await alice.newBooking("GONE");
  await world.service.operator("POST", "/flights/GONE/cancel", { run: 0, reason: (FILLS.letters as Fill)(500) });
  disruption = await onlyCase("GONE");
  await alice.paidBooking("LATE");
  const departsAt = new Date(Date.now() + 500 * DAY).toISOString();
  await world.service.operator("POST", "/flights/LATE/retime", { run: 0, departsAt });
  late = await onlyCase("LATE");
  await alice.paidBooking("OFFER");
  await world.service.operator("POST", "/flights/OFFER/cancel", { run: 0, policy: "offer" });
  offered = await onlyCase("OFFER");
});

/** Of the bookings on the flight, once it has followed. */
async function onlyCase(flightId: string): Promise<DisruptionBody> {
  let found: DisruptionBody | undefined;
  await until(async () => {
    const path = `/v1/disruptions?flightId=${flightId}`;
    [found] = expectStatus(200, await world.alice.get<Page<DisruptionBody>>(path)).data;
    return found !== undefined;
  });
  return found as unknown as DisruptionBody;
}

afterAll(async () => {
  counter.close();
  await world.discard();
  await receiver.stop();
});

const operationOf = (id: string) => operations.find((operation) => operation.id === id) as Operation;
const largest = (id: string, fill: Fill, known: Known = {}) =>
  largestOf(operationOf(id).body as NonNullable<Operation["body"]>, fill, known);

let nextSeat = 0;
function nineSeats(): readonly string[] {
  nextSeat += 9;
  return Array.from({ length: 9 }, (_, index) => {
    const seat = nextSeat - 9 + index;
    return `${20 + Math.floor(seat / 6)}${"ABCDEF"[seat % 6]}`;
  });
}

async function heldSeats() {
  const seats = nineSeats();
  const { id } = expectStatus(201, await world.alice.hold("LARGE", seats));
  return { seats, holdId: id };
}

/** Which costs nothing. */
async function middleSeat() {
  const seats = nineSeats()
    .filter((seat) => seat.endsWith("B"))
    .slice(0, 1);
  const { id } = expectStatus(201, await world.alice.hold("LARGE", seats));
  return { seats, holdId: id };
}

async function newBooking(fill: Fill, isPaid = false): Promise<BookingBody> {
  const order = largest("createBooking", fill, { flightId: "LARGE", cabin: "economy", ...(await heldSeats()) });
  const booking = expectStatus(201, await world.alice.post<BookingBody>("/v1/bookings", order));
  if (isPaid) expectStatus(201, await world.alice.pay(booking.id));
  return booking;
}

async function newPassenger(fill: Fill, known: Known = {}): Promise<PassengerProfileBody> {
  const profile = largest("createPassenger", fill, known);
  return expectStatus(201, await world.alice.post<PassengerProfileBody>("/v1/passengers", profile));
}

/** Removes the largest there is, and puts as much in its place. */
function otherMetadata(fill: Fill): Readonly<Record<string, string>> {
  const pairs = Array.from({ length: 40 }, (_, index) => [nameOf(index, fill), index < 20 ? "" : fill(500)]);
  return Object.fromEntries(pairs);
}

/** What a request to an operation takes to be answered well. */
interface Subject {
  readonly id?: string;
  readonly holdId?: string;
  /** Values of the body that can't be any text. */
  readonly known?: Known;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Bytes that it reads beside those that it answers, in turns. */
  readonly stored?: number;
}

/** Of every operation there is. What comes to be in between is not counted. */
const SUBJECTS: Readonly<Record<string, (fill: Fill) => Subject | Promise<Subject>>> = {
  exchangeToken: (fill) => ({
    body: String(new URLSearchParams(formOf(oauth, { unknown: fill(400) }))),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  listDestinations: () => ({}),
  getDestination: () => ({ id: "kepler-442b" }),
  listFlights: () => ({ query: { cabin: "first", from: "ISS" } }),
  searchFlights: () => ({}),
  getFlight: () => ({ id: "LARGE" }),
  getFlightStatus: () => ({ id: "LARGE" }),
  getSeatMap: () => ({ id: "LARGE" }),
  createSeatHold: () => ({ id: "LARGE", known: { seats: nineSeats() } }),
  getSeatHold: async () => ({ id: "LARGE", holdId: (await heldSeats()).holdId }),
  releaseSeatHold: async () => ({ id: "LARGE", holdId: (await heldSeats()).holdId }),
  createBooking: async () => ({ known: { flightId: "LARGE", cabin: "economy", ...(await heldSeats()) } }),
  listBookings: () => ({ query: { email: paid.passengers[0]?.email ?? "", status: "pending" } }),
  getBooking: () => ({ id: paid.id, query: { asOf: paid.createdAt } }),
  changeBooking: async (fill) => ({
    id: (await newBooking(fill)).id,
    known: { ...(await heldSeats()), metadata: otherMetadata(fill) },
  }),
  cancelBooking: async (fill) => ({ id: (await newBooking(fill)).id }),
  getBookingSummary: () => ({ id: paid.id }),
  getCancellationQuote: () => ({ id: paid.id }),
  getBookingHistory: () => ({ id: paid.id }),
  listBookingDisruptions: () => ({ id: paid.id }),
  listDisruptions: () => ({ query: { status: "resolved", flightId: "LARGE" } }),
  getDisruption: () => ({ id: disruption.id }),
  listDisruptionAlternatives: () => ({ id: offered.id }),
  acceptDisruption: () => ({ id: late.id }),
  rebookDisruption: async () => ({
    id: offered.id,
    known: { flightId: "LARGE", revision: 1, ...(await middleSeat()) },
  }),
  refundDisruption: () => ({ id: disruption.id }),
  // With the profiles of nine.
  getBoardingPass: () => ({ id: paid.id, query: { format: "json" }, stored: 75_000 }),
  getBoardingPassKeys: () => ({}),
  uploadDocument: (fill) => ({
    id: paid.id,
    body: multipartOf({
      fileName: fill(255).replaceAll(/["\\\r\n]/g, "_"),
      content: `%PDF-1.4\n${"\r\n------between".repeat(690_000)}`,
    }),
    headers: { "content-type": MULTIPART },
  }),
  listDocuments: () => ({ id: paid.id }),
  createPassenger: () => ({}),
  listPassengers: () => ({}),
  getPassenger: () => ({ id: saved.id }),
  changePassenger: async (fill) => ({
    id: (await newPassenger(fill)).id,
    known: { metadata: otherMetadata(fill) },
  }),
  deletePassenger: async (fill) => ({ id: (await newPassenger(fill)).id }),
  createPayment: async (fill) => ({ id: (await newBooking(fill)).id, known: { token: "tok_visa" } }),
  listBookingPayments: () => ({ id: paid.id }),
  // With the bookings that they are of, until a page ends.
  listPayments: () => ({ query: { status: "pending" }, stored: 75_000 }),
  getPayment: async (fill) => ({ id: expectStatus(201, await world.alice.pay((await newBooking(fill)).id)).id }),
  createRefund: async (fill) => ({ id: expectStatus(201, await world.alice.pay((await newBooking(fill)).id)).id }),
  getLoyaltyAccount: () => ({}),
  listLoyaltyTransactions: () => ({}),
  createRedemption: async (fill) => ({
    known: { reward: "extra_baggage", bookingId: (await newBooking(fill, true)).id },
  }),
  listEvents: () => ({}),
  getEvent: () => ({ id: event.id }),
  createWebhookEndpoint: () => ({ known: largestEndpoint() }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: () => ({ id: endpoint.id }),
  deleteWebhookEndpoint: async () => ({ id: await newEndpoint() }),
  changeWebhookEndpoint: async () => ({ id: await newEndpoint(), known: largestEndpoint() }),
  testWebhookEndpoint: () => ({ id: endpoint.id }),
  listWebhookDeliveries: () => ({ id: endpoint.id }),
  getWebhookStatus: () => ({ id: endpoint.id }),
  resumeWebhookEndpoint: () => ({ id: endpoint.id }),
  rotateWebhookSecret: () => ({ id: endpoint.id, known: { expirePreviousNow: true } }),
  replayWebhookEndpoint: () => ({ id: endpoint.id }),
  getInterface: () => ({}),
};

async function newEndpoint(): Promise<string> {
  const body = { url: receiver.url, events: ["payment.failed"] };
  return expectStatus(201, await world.alice.post<NewWebhookEndpointBody>("/v1/webhook-endpoints", body)).id;
}

const largestEndpoint = () => ({
  url: `${receiver.url}/`.padEnd(2_048, "a"),
  headers: Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`${index}`.padEnd(64, "~"), "~".padStart(1_024, "~ ")]),
  ),
});

const pathOf = ({ path }: Operation, { id = "", holdId = "" }: Subject, query: Readonly<Record<string, string>> = {}) =>
  `${path.replace("{id}", id).replace("{holdId}", holdId)}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ""}`;

/** As a path or a query has it, so many bytes at most. */
const encoded = (fill: Fill, bytes: number) =>
  encodeURIComponent(fill(bytes))
    .slice(0, bytes)
    .replace(/(?:%[89a-f][\da-f])*%?.?$/i, "");

const HEADERS = { "x-request-id": "r".repeat(4_096), "service-version": "2026-11-01" };

/** Sends it, and counts. Answers its status, and what it cost too much. */
async function ask(operation: Operation, path: string, body: unknown, { headers = {}, stored = 0 }: Subject = {}) {
  const client = operation.scope === null ? world.anonymous : world.alice;
  const key = operation.idempotencyKey === undefined ? {} : { "idempotency-key": newKey().padEnd(255, "k") };
  const sent = body === undefined ? "" : serializeBody(body);
  const { result, work } = await counter.during(() =>
    client.send(operation.method, path, { body, headers: { ...HEADERS, ...key, ...headers } }),
  );
  const bytes = Math.min(MOST_BYTES, Buffer.byteLength(sent) + result.text.length + stored);
  const over = (["blocks", "characters"] as const).filter(
    (what) => work[what] > BUDGET[what].once + BUDGET[what].perByte * bytes,
  );
  return { status: result.status, over: over.map((what) => `${work[what]} ${what} for ${bytes} bytes`) };
}

/** The same of each of these, with its name. */
async function askEach<Thing>(
  things: Readonly<Record<string, Thing>>,
  request: (thing: Thing) => ReturnType<typeof ask>,
): Promise<readonly (readonly [string, Awaited<ReturnType<typeof ask>>])[]> {
  const asked: (readonly [string, Awaited<ReturnType<typeof ask>>])[] = [];
  for (const [name, thing] of Object.entries(things)) asked.push([name, await request(thing)]);
  return asked;
}

const parametersOf = ({ query }: Operation) => Object.keys((query as z.ZodObject | undefined)?.shape ?? {});

test.each(operations.map((operation) => [operation.id, operation] as const))(
  "%s does no more work than its size allows, whatever it is sent",
  async (id, operation) => {
    const { body, bodyType = "json", success } = operation;
    const subjectOf = SUBJECTS[id] as NonNullable<(typeof SUBJECTS)[string]>;
    const json = bodyType === "json" ? body : undefined;
    const longest: Readonly<Record<string, string>> = parametersOf(operation).includes("limit") ? { limit: "100" } : {};

    const taken = await askEach(FILLS, async (fill) => {
      const { known = {}, query = longest, ...subject } = await subjectOf(fill);
      const sent = subject.body ?? (json && largestOf(json, fill, known));
      return ask(operation, pathOf(operation, subject, query), sent, subject);
    });
    expect(taken).toStrictEqual(Object.keys(FILLS).map((name) => [name, { status: success.status, over: [] }]));

    const refused = [
      ...(await askEach(FILLS, (fill) => {
        const names = [...parametersOf(operation), "unknown"];
        const query = names.map((name) => `${name}=${encoded(fill, 8_000 / names.length)}`).join("&");
        const unknown = encoded(fill, 1_000);
        const overlong = json && overlongOf(largestOf(json, fill, {}), fill, bodyLimitOf(json));
        return ask(operation, `${pathOf(operation, { id: unknown, holdId: unknown })}?${query}`, overlong);
      })),
      ...(await askEach(json === undefined ? {} : BODIES, (write) =>
        ask(operation, pathOf(operation, { id: "none", holdId: "none" }), write(bodyLimitOf(json as ZodType))),
      )),
    ];
    expect(refused.map(([name, { status, over }]) => [name, status === 400 || status === 404, over])).toStrictEqual(
      refused.map(([name]) => [name, true, []]),
    );
  },
);

test("the expressions that go over long texts are those that were looked at", async () => {
  const all = (await counter.expressions()).filter((expression) => !expression.startsWith("/^(?:\\/"));
  expect(all.toSorted()).toStrictEqual(EXPRESSIONS.toSorted());
});
