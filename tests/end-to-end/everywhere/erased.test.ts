import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  type BookingBody,
  type EventBody,
  type NewWebhookEndpointBody,
  type Operation,
  operations,
  type PassengerProfileBody,
  type PaymentBody,
  type SeatHoldBody,
  type WebhookStatusBody,
} from "@travel-booking/api-contract";
import { ERASED_WORDS } from "@travel-booking/domain";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { mapAtOnce } from "../../support/map-at-once.ts";
import { until } from "../../support/until.ts";
import { Client, expectStatus, newKey } from "../kit/client.ts";
import { feed } from "../kit/feed.ts";
import { givePoints } from "../kit/loyalty.ts";
import { formOf, type OAuthClient, oauthClient } from "../kit/oauth.ts";
import { MULTIPART, multipartOf } from "../kit/upload.ts";
import { openWorld, type World } from "../kit/world.ts";

const DAY_SECONDS = 86_400;

/** In each word that is erased, and nowhere else. */
const WORD = /suchwort/i;
const PARTY = [
  { name: "Ada Suchwort", email: "ada@suchwort.example" },
  { name: "Alan Suchwort", email: "alan@suchwort.example" },
];
const REFERENCE = "Referenz-Suchwort";
const METADATA = { note: "Vermerk-Suchwort" };
const CHANGE = {
  reference: "Umbuchung-Suchwort",
  passengers: PARTY.toReversed(),
  metadata: { more: "Nachtrag-Suchwort" },
};
const CANCEL = { reason: "Grund-Suchwort" };
const CARD = { type: "card", token: "tok_visa", metadata: { order: "Bestellung-Suchwort" } };
const PROFILE = {
  firstName: "Ada-Suchwort",
  lastName: "Lovelace-Suchwort",
  email: "profil@suchwort.example",
  dateOfBirth: "1985-12-10",
  nationality: "GB",
  passport: { number: "SUCHWORT1", expiresOn: "2044-04-15", issuingCountry: "NZ" },
  loyaltyNumber: "SUCHWORT-7",
  metadata: { note: "Notiz-Suchwort" },
  preferences: { seat: "window", meal: "vegan", cryosleep: true },
};
const FILE = {
  body: multipartOf({ fileName: "pass-suchwort.pdf", content: "%PDF-1.4\nSuchwort\n" }),
  headers: { "content-type": MULTIPART },
};

let receiver: Receiver;
let world: World;
let alice: Client;
let endpoint: NewWebhookEndpointBody;
let spare: NewWebhookEndpointBody;
let hold: SeatHoldBody;
/** Erased, as what hangs below them is. */
let flown: BookingBody;
let cancelled: BookingBody;
let paid: PaymentBody;
let declined: PaymentBody;
let changed: EventBody;
let saved: PassengerProfileBody;
let deleted: PassengerProfileBody;
/** Of an account that is erased as a whole. */
let carol: Client;
let carolsClient: OAuthClient;

const order = (flightId: string) => {
  return { flightId, cabin: "economy", passengers: PARTY, reference: REFERENCE, metadata: METADATA };
};
/** What is sent a second time after the erasure is under these keys. */
const under = (key: string) => ({ "idempotency-key": key });

beforeAll(async () => {
  receiver = await Receiver.start();
  world = await openWorld({
    flights: [
      { id: "SOON", departsIn: 3 },
      { id: "LATER", departsIn: 400 },
    ],
    env: { WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" },
  });
  ({ alice } = world);
  await givePoints(world, world.accountOf.alice, 100_000);
  const events = ["booking.confirmed", "booking.changed", "booking.cancelled", "payment.succeeded", "payment.failed"];
  endpoint = expectStatus(201, await alice.post("/v1/webhook-endpoints", { url: receiver.url, events }));
  spare = expectStatus(
    201,
    await alice.post("/v1/webhook-endpoints", { url: receiver.url, events: ["payment.failed"] }),
  );

  flown = expectStatus(201, await alice.post<BookingBody>("/v1/bookings", order("SOON")));
  expectStatus(201, await alice.pay(flown.id, CARD));
  expectStatus(201, await alice.post(`/v1/bookings/${flown.id}/documents`, FILE.body, FILE.headers));
  expectStatus(200, await alice.get(`/v1/bookings/${flown.id}/boarding-pass?format=json`));
  expectStatus(201, await alice.post("/v1/loyalty/redemptions", { reward: "extra_baggage", bookingId: flown.id }));
  await world.advance(4 * DAY_SECONDS);

  cancelled = expectStatus(201, await alice.post<BookingBody>("/v1/bookings", order("LATER"), under("book")));
  const path = `/v1/bookings/${cancelled.id}`;
  expectStatus(201, await alice.post(`${path}/documents`, FILE.body, { ...FILE.headers, ...under("upload") }));
  declined = expectStatus(201, await alice.pay(cancelled.id, { ...CARD, token: "tok_declined_card_declined" }));
  paid = expectStatus(201, await alice.pay(cancelled.id, CARD, "pay"));
  expectStatus(200, await alice.patch(path, CHANGE, under("change")));
  changed = (await feed(alice, { bookingId: cancelled.id, type: "booking.changed" })).data[0] as EventBody;
  expect(JSON.stringify(changed)).toMatch(WORD);
  expectStatus(201, await alice.post(`/v1/payments/${paid.id}/refunds`, { amount: 100 }, under("refund")));
  expectStatus(200, await alice.cancel(cancelled.id, CANCEL, under("cancel")));

  deleted = expectStatus(201, await alice.post<PassengerProfileBody>("/v1/passengers", PROFILE));
  expectStatus(204, await alice.send("DELETE", `/v1/passengers/${deleted.id}`));
  saved = expectStatus(201, await alice.post<PassengerProfileBody>("/v1/passengers", PROFILE, under("save")));
  hold = expectStatus(201, await alice.hold("LATER", ["11A"]));

  const issued = await world.service.newApiKey();
  carol = new Client(world.service.baseUrl, issued);
  carolsClient = await oauthClient(world, issued.accountId);
  expectStatus(201, await carol.post("/v1/bookings", order("LATER")));

  const status = `/v1/webhook-endpoints/${endpoint.id}/status`;
  await until(async () => expectStatus(200, await alice.get<WebhookStatusBody>(status)).owed === 0);
  expect(receiver.received.every(({ body }) => WORD.test(body))).toBe(true);
  receiver.received.length = 0;
  for (const erased of [
    `/passengers/${saved.id}`,
    `/passengers/${deleted.id}`,
    `/bookings/${flown.id}`,
    `/bookings/${cancelled.id}`,
    `/accounts/${issued.accountId}`,
  ]) {
    expect(await world.service.operator("POST", `${erased}/erase`)).toMatchObject({ status: 200 });
  }
  // Another process has five seconds to forget what it has shown (docs/privacy.md).
  await until(async () => !WORD.test((await alice.get(`/v1/events/${changed.id}`)).text));
});
afterAll(async () => {
  await world.discard();
  await receiver.stop();
});

/** What is asked, for the path of the operation, and how it is answered. */
interface Ask {
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** What stands in the answer: where there were words, what stands for them. */
  readonly shows?: string;
}

const { text, email, date, country } = ERASED_WORDS;
const NOBODY = `{"name":"${text}","email":"${email}"}`;
const NO_PARTY = `"passengers":[${NOBODY},${NOBODY}]`;
const NO_PROFILE = `"email":"${email}","dateOfBirth":"${date}","nationality":"${country}","passport":{"number":"${text}"`;
const NO_ORDER = `"metadata":{"order":"${text}"}`;
const NO_FILE = `"fileName":"${text}"`;

/** Of every operation there is, in their order. */
const ASKED: Readonly<Record<string, () => readonly Ask[]>> = {
  exchangeToken: () => [
    {
      body: String(new URLSearchParams(formOf(carolsClient))),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 401,
    },
  ],
  listDestinations: () => [{ status: 200 }],
  getDestination: () => [{ id: "kepler-442b", status: 200 }],
  listFlights: () => [{ status: 200, shows: '"id":"SOON"' }],
  searchFlights: () => [{ query: "destinationId=kepler-442b", status: 200 }],
  getFlight: () => [{ id: "SOON", status: 200 }],
  getFlightStatus: () => [{ id: "SOON", status: 200 }],
  getSeatMap: () => [{ id: "SOON", status: 200, shows: '"booked"' }],
  createSeatHold: () => [{ id: "LATER", body: { seats: ["10A"] }, status: 201 }],
  getSeatHold: () => [{ id: "LATER", status: 200 }],
  releaseSeatHold: () => [{ id: "LATER", status: 204 }],
  createBooking: () => [
    { body: order("LATER"), headers: under("book"), status: 201, shows: NO_PARTY },
    { body: { ...order("LATER"), passengers: [{ passengerId: saved.id }] }, status: 404 },
  ],
  listBookings: () => [
    { status: 200, shows: NO_PARTY },
    { query: "flightId=LATER&status=cancelled", status: 200, shows: NO_PARTY },
    { query: `email=${PARTY[0]?.email}`, status: 200, shows: '"data":[]' },
    { query: `email=${email}`, status: 200, shows: '"data":[]' },
    { query: `reference=${REFERENCE}`, status: 200, shows: '"data":[]' },
    { query: `reference=${encodeURIComponent(text)}`, status: 200, shows: '"data":[]' },
  ],
  getBooking: () => [
    { id: flown.id, status: 200, shows: NO_PARTY },
    { id: cancelled.id, status: 200, shows: `"reference":"${text}"` },
    { id: cancelled.id, query: `asOf=${changed.createdAt}`, status: 200, shows: NO_PARTY },
  ],
  changeBooking: () => [
    { id: flown.id, body: { reference: "another" }, status: 404 },
    { id: flown.id, body: { metadata: { note: "another" } }, status: 404 },
    { id: flown.id, body: {}, status: 200, shows: NO_PARTY },
    { id: cancelled.id, body: { reference: "another" }, status: 409 },
    { id: cancelled.id, body: CHANGE, headers: under("change"), status: 200, shows: NO_PARTY },
  ],
  cancelBooking: () => [
    { id: cancelled.id, body: CANCEL, headers: under("cancel"), status: 200, shows: NO_PARTY },
    { id: cancelled.id, status: 200, shows: NO_PARTY },
  ],
  getBookingSummary: () => [
    { id: flown.id, status: 200, shows: `"metadata":{"note":"${text}"}` },
    { id: cancelled.id, status: 200, shows: `"cancellationReason":"${text}"` },
    { id: cancelled.id, status: 200, shows: `"metadata":{"note":"${text}","more":"${text}"}` },
  ],
  getCancellationQuote: () => [{ id: cancelled.id, status: 200 }],
  listBookingDisruptions: () => [{ id: cancelled.id, status: 200 }],
  listDisruptions: () => [{ status: 200 }],
  getDisruption: () => [{ id: `dcs_${"0".repeat(32)}`, status: 404 }],
  listDisruptionAlternatives: () => [{ id: `dcs_${"0".repeat(32)}`, status: 404 }],
  rebookDisruption: () => [{ id: `dcs_${"0".repeat(44)}`, body: { revision: 1, flightId: "F" }, status: 404 }],
  acceptDisruption: () => [{ id: `dcs_${"0".repeat(44)}`, body: { revision: 1 }, status: 404 }],
  refundDisruption: () => [{ id: `dcs_${"0".repeat(44)}`, body: { revision: 1 }, status: 404 }],
  getBookingHistory: () => [
    { id: flown.id, status: 200, shows: text },
    { id: cancelled.id, status: 200, shows: `"reference":{"from":"${text}","to":"${text}"}` },
    { id: cancelled.id, status: 200, shows: `"metadata":{"from":null,"to":{"note":"${text}"}}` },
  ],
  getBoardingPass: () => [
    { id: flown.id, query: "format=json", status: 200, shows: `"passengerName":"${text}"` },
    { id: cancelled.id, query: "format=json", status: 409 },
  ],
  getBoardingPassKeys: () => [{ status: 200 }],
  uploadDocument: () => [
    { id: flown.id, ...FILE, status: 404 },
    { id: cancelled.id, ...FILE, status: 404 },
    { id: cancelled.id, ...FILE, headers: { ...FILE.headers, ...under("upload") }, status: 201, shows: NO_PARTY },
  ],
  listDocuments: () => [
    { id: flown.id, status: 200, shows: NO_FILE },
    { id: cancelled.id, status: 200, shows: NO_FILE },
  ],
  createPassenger: () => [{ body: PROFILE, headers: under("save"), status: 201, shows: NO_PROFILE }],
  listPassengers: () => [
    { status: 200, shows: NO_PROFILE },
    { query: `email=${PROFILE.email}`, status: 200, shows: '"data":[]' },
    { query: `email=${email}`, status: 200, shows: '"data":[]' },
  ],
  getPassenger: () => [
    { id: saved.id, status: 200, shows: NO_PROFILE },
    { id: deleted.id, status: 404 },
  ],
  changePassenger: () => [
    { id: saved.id, body: { firstName: "Another" }, status: 404 },
    { id: deleted.id, body: {}, status: 404 },
  ],
  deletePassenger: () => [
    { id: saved.id, status: 204 },
    { id: deleted.id, status: 404 },
  ],
  createPayment: () => [
    { id: flown.id, body: CARD, headers: under(newKey()), status: 409 },
    { id: cancelled.id, body: CARD, headers: under("pay"), status: 201, shows: NO_ORDER },
  ],
  listBookingPayments: () => [{ id: cancelled.id, status: 200, shows: NO_ORDER }],
  listPayments: () => [{ query: `bookingId=${cancelled.id}`, status: 200, shows: NO_ORDER }],
  getPayment: () => [
    { id: paid.id, status: 200, shows: NO_ORDER },
    { id: declined.id, status: 200, shows: NO_ORDER },
  ],
  createRefund: () => [
    { id: paid.id, body: { amount: 100 }, headers: under("refund"), status: 201 },
    { id: paid.id, status: 409 },
  ],
  getLoyaltyAccount: () => [{ status: 200 }],
  listLoyaltyTransactions: () => [{ status: 200, shows: `"bookingId":"${flown.id}"` }],
  createRedemption: () => [{ body: { reward: "extra_baggage", bookingId: flown.id }, status: 409 }],
  listEvents: () => [
    { status: 200, shows: NO_PARTY },
    { query: `bookingId=${cancelled.id}&order=asc`, status: 200, shows: NO_ORDER },
  ],
  getEvent: () => [{ id: changed.id, status: 200, shows: `"previousAttributes":{${NO_PARTY}` }],
  createWebhookEndpoint: () => [{ body: { url: receiver.url, events: ["payment.failed"] }, status: 201 }],
  listWebhookEndpoints: () => [{ status: 200, shows: endpoint.id }],
  getWebhookEndpoint: () => [{ id: endpoint.id, status: 200 }],
  changeWebhookEndpoint: () => [{ id: endpoint.id, body: { maxPerSecond: 1_000 }, status: 200 }],
  testWebhookEndpoint: () => [{ id: endpoint.id, body: { type: "booking.changed" }, status: 200 }],
  listWebhookDeliveries: () => [{ id: endpoint.id, status: 200, shows: changed.id }],
  getWebhookStatus: () => [{ id: endpoint.id, status: 200 }],
  resumeWebhookEndpoint: () => [{ id: endpoint.id, status: 200 }],
  rotateWebhookSecret: () => [{ id: endpoint.id, status: 200 }],
  replayWebhookEndpoint: () => [{ id: endpoint.id, body: { since: cancelled.createdAt }, status: 202 }],
  deleteWebhookEndpoint: () => [{ id: spare.id, status: 204 }],
  getInterface: () => [{ status: 200 }],
};

const pathOf = ({ path }: Operation, { id = "", query }: Pick<Ask, "id" | "query">) =>
  path.replace("{id}", id).replace("{holdId}", hold.id) + (query === undefined ? "" : `?${query}`);

describe("what is erased is answered in the shapes of the interface description, and without its words", () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))("by %s", async (_, operation) => {
    const asks = ASKED[operation.id]?.() ?? [];
    expect(asks).not.toStrictEqual([]);
    const client = operation.scope === null ? world.anonymous : alice;
    for (const ask of asks) {
      const { body, headers = {}, status, shows = "" } = ask;
      const answer = await client.send(operation.method, pathOf(operation, ask), { body, headers });
      expect([answer.status, answer.text]).toStrictEqual([status, expect.stringContaining(shows)]);
      expect(answer.text).not.toMatch(WORD);
    }
  });

  test("when it is delivered again", async () => {
    await until(async () => {
      receiver.received.length = 0;
      const since = { since: cancelled.createdAt };
      expectStatus(202, await alice.post(`/v1/webhook-endpoints/${endpoint.id}/replay`, since));
      await receiver.until(() => receiver.received.some(({ event }) => event.id === changed.id));
      return !receiver.received.some(({ body }) => WORD.test(body));
    });
    expect(receiver.received.find(({ event }) => event.id === changed.id)?.body).toContain(NO_PARTY);
  });
});

test("an erased account is refused by every operation that asks for a credential", async () => {
  const asking = operations.filter(({ scope }) => scope !== null);
  const answers = await mapAtOnce(asking, (operation) =>
    carol.send(operation.method, pathOf(operation, { id: "any" })),
  );
  expect(answers.map(({ status }) => status)).toStrictEqual(asking.map(() => 401));
});
