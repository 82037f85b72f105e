import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type {
  BookingBody,
  EventBody,
  PassengerProfileBody,
  PaymentBody,
  SeatHoldBody,
  WebhookEndpointBody,
} from "@travel-booking/api-contract";
import { Client, expectStatus, type Page } from "../kit/client.ts";
import { feed } from "../kit/feed.ts";
import { formOf, oauthClient, oauthErrorOf, requestToken } from "../kit/oauth.ts";
import { expectProblems, expectRefused, messageOf } from "../kit/problems.ts";
import type { TestResponse } from "../kit/test-response.ts";
import { openWorld, type World } from "../kit/world.ts";

const TRAVELLER = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  dateOfBirth: "1985-12-10",
  nationality: "GB",
};

let world: World;
let alice: Client;
let bob: Client;
let booking: BookingBody;
let payment: PaymentBody;
let hold: SeatHoldBody;
let endpoint: WebhookEndpointBody;
let event: EventBody;
let passenger: PassengerProfileBody;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
  ({ alice, bob } = world);
  ({ booking, payment } = await alice.paidBooking("F", { seats: ["10B"] }));
  hold = expectStatus(201, await alice.hold("F", ["11A"]));
  event = (await feed(alice)).data[0] as EventBody;
  passenger = expectStatus(201, await alice.post("/v1/passengers", TRAVELLER));
  const url = "https://8.8.8.8/events";
  endpoint = expectStatus(201, await alice.post("/v1/webhook-endpoints", { url, events: ["payment.failed"] }));
});
afterAll(() => world.discard());

describe("what is another account's is not there", () => {
  const requests: readonly (readonly [string, (id: () => typeof ids) => Promise<TestResponse>])[] = [
    ["get a booking", (of) => bob.get(`/v1/bookings/${of().booking}`)],
    ["get it as it was", (of) => bob.get(`/v1/bookings/${of().booking}?asOf=2026-01-01T00:00:00Z`)],
    ["its summary", (of) => bob.get(`/v1/bookings/${of().booking}/summary`)],
    ["what cancelling it gives back", (of) => bob.get(`/v1/bookings/${of().booking}/cancellation-quote`)],
    ["its history", (of) => bob.get(`/v1/bookings/${of().booking}/history`)],
    ["change it", (of) => bob.patch(`/v1/bookings/${of().booking}`, { reference: "mine" })],
    ["change nothing of it", (of) => bob.patch(`/v1/bookings/${of().booking}`, {})],
    ["change its seats", (of) => bob.patch(`/v1/bookings/${of().booking}`, { seats: ["12B"] })],
    ["change its seats by a hold", (of) => bob.patch(`/v1/bookings/${of().booking}`, { holdId: of().hold })],
    ["cancel it", (of) => bob.cancel(of().booking)],
    ["pay for it by card", (of) => bob.pay(of().booking)],
    ["pay for it by bank transfer", (of) => bob.pay(of().booking, { type: "bank_transfer" })],
    ["list its payments", (of) => bob.get(`/v1/bookings/${of().booking}/payments`)],
    ["get a payment", (of) => bob.get(`/v1/payments/${of().payment}`)],
    ["refund it", (of) => bob.post(`/v1/payments/${of().payment}/refunds`)],
    ["an event", (of) => bob.get(`/v1/events/${of().event}`)],
    ["a webhook endpoint", (of) => bob.get(`/v1/webhook-endpoints/${of().endpoint}`)],
    ["its status", (of) => bob.get(`/v1/webhook-endpoints/${of().endpoint}/status`)],
    ["its deliveries", (of) => bob.get(`/v1/webhook-endpoints/${of().endpoint}/deliveries`)],
    ["resume it", (of) => bob.post(`/v1/webhook-endpoints/${of().endpoint}/resume`)],
    ["delete it", (of) => bob.send("DELETE", `/v1/webhook-endpoints/${of().endpoint}`)],
    ["get a passenger", (of) => bob.get(`/v1/passengers/${of().passenger}`)],
    ["change it", (of) => bob.patch(`/v1/passengers/${of().passenger}`, { email: "eve@example.com" })],
    ["delete it", (of) => bob.send("DELETE", `/v1/passengers/${of().passenger}`)],
    ["a hold", (of) => bob.get(`/v1/flights/F/seat-holds/${of().hold}`)],
    ["release it", (of) => bob.send("DELETE", `/v1/flights/F/seat-holds/${of().hold}`)],
    ["book with a hold", (of) => bob.book("F", { holdId: of().hold })],
  ];
  let ids = { booking: "", payment: "", hold: "", event: "", endpoint: "", passenger: "" };

  test.each(requests)("%s", async (_name, request) => {
    ids = {
      booking: booking.id,
      payment: payment.id,
      hold: hold.id,
      event: event.id,
      endpoint: endpoint.id,
      passenger: passenger.id,
    };
    const foreign = await request(() => ids);
    ids = {
      booking: `bkg_${"0".repeat(32)}`,
      payment: `pay_${"0".repeat(44)}`,
      hold: `hld_${"0".repeat(32)}`,
      event: `evt_${"0".repeat(32)}`,
      endpoint: `whe_${"0".repeat(32)}`,
      passenger: `psg_${"0".repeat(32)}`,
    };
    const missing = await request(() => ids);
    expect([foreign.status, foreign.text]).toStrictEqual([404, missing.text]);
  });

  test("nor can it be reached by a path through one's own", async () => {
    const own = world.accountOf.bob;
    const theirs = world.accountOf.alice;
    for (const id of [
      `${theirs}%2F${booking.id}`,
      `..%2F${theirs}%2F${booking.id}`,
      `${own}%2F..%2F${theirs}%2F${booking.id}`,
    ]) {
      expect((await bob.get(`/v1/bookings/${id}`)).status).toBe(404);
      expect((await bob.get(`/v1/bookings/${id}/history`)).status).toBe(404);
    }
  });

  test("and it is as it was", async () => {
    expect(await alice.booking(booking.id)).toStrictEqual(booking);
    expect(await alice.payment(payment.id)).toStrictEqual(payment);
    expect((await alice.get(`/v1/passengers/${passenger.id}`)).body).toStrictEqual(passenger);
    expect((await alice.send("DELETE", `/v1/flights/F/seat-holds/${hold.id}`)).status).toBe(204);
  });
});

test("each lists its own bookings", async () => {
  const own = await bob.newBooking("F");
  const list = async (client: Client) => expectStatus(200, await client.get<Page<BookingBody>>("/v1/bookings")).data;
  expect(await list(bob)).toStrictEqual([own]);
  expect(await list(alice)).toStrictEqual([booking]);
});

test("a hold of another account that is used on one's own booking is not there", async () => {
  const own = await bob.newBooking("F");
  const { id: holdId } = expectStatus(201, await alice.hold("F", ["15A"]));
  const refused = await bob.patch(`/v1/bookings/${own.id}`, { holdId });
  expect([refused.status, messageOf(refused)]).toStrictEqual([404, "no seat hold with this id"]);
  const seats = await bob.patch(`/v1/bookings/${own.id}`, { holdId, seats: ["15A"] });
  expect(seats.status).toBe(404);
});

describe("a cursor", () => {
  const REFUSED = ["cursor is not one this list has given for these filters"];
  const cursorOf = async (client: Client, path: string) =>
    expectStatus(200, await client.get<Page<unknown>>(path)).page.nextCursor ?? "";

  test("of another account's list is refused", async () => {
    for (const client of [alice, bob]) for (let made = 0; made < 3; made += 1) await client.newBooking("F");
    const cursor = await cursorOf(alice, "/v1/bookings?limit=1");
    expect(cursor).not.toBe("");
    expectProblems(await bob.get(`/v1/bookings?cursor=${cursor}`), REFUSED);
    expect((await alice.get(`/v1/bookings?cursor=${cursor}`)).status).toBe(200);
    const history = await cursorOf(alice, `/v1/bookings/${booking.id}/history?limit=1`);
    expectProblems(await alice.get(`/v1/bookings?cursor=${history}`), REFUSED);
    const [newest] = expectStatus(200, await alice.get<Page<BookingBody>>("/v1/bookings?limit=1")).data;
    expectProblems(await alice.get(`/v1/bookings/${newest?.id}/history?cursor=${history}`), REFUSED);
  });

  test("of a list that all share is good for all", async () => {
    const cursor = await cursorOf(alice, "/v1/destinations?limit=1");
    expect((await bob.get(`/v1/destinations?cursor=${cursor}`)).status).toBe(200);
  });
});

describe("an API key", () => {
  test("is good until it is revoked", async () => {
    const { apiKey, credentialId } = await world.service.newApiKey();
    const client = new Client(world.service.baseUrl, { apiKey });
    expect((await client.get("/v1/flights")).status).toBe(200);
    expect((await world.service.operator("DELETE", `/credentials/${credentialId}`)).status).toBe(200);
    expectRefused(await client.get("/v1/flights"), 401, "API key");
  });

  test("of a suspended account: 403 for everything, until it is resumed", async () => {
    const { accountId, apiKey } = await world.service.newApiKey();
    const oauth = await oauthClient(world, accountId);
    const { access_token: accessToken } = expectStatus(200, await requestToken(world, formOf(oauth)));
    const clients = [new Client(world.service.baseUrl, { apiKey }), new Client(world.service.baseUrl, { accessToken })];
    await world.service.operator("POST", `/accounts/${accountId}/suspend`);
    for (const client of clients) {
      expectRefused(await client.get("/v1/flights"), 403, "suspended");
      expectRefused(await client.book("F"), 403, "suspended");
      expectRefused(await client.get("/v1/nothing"), 403, "suspended");
    }
    expect(oauthErrorOf(await requestToken(world, formOf(oauth)))).toStrictEqual([401, "invalid_client"]);
    await world.service.operator("POST", `/accounts/${accountId}/resume`);
    for (const client of clients) expect((await client.get("/v1/flights")).status).toBe(200);
  });
});

test("an OAuth client that is revoked gets no token, and its tokens are refused", async () => {
  const client = await oauthClient(world, world.accountOf.alice);
  const { access_token: accessToken } = expectStatus(200, await requestToken(world, formOf(client)));
  const holder = new Client(world.service.baseUrl, { accessToken });
  expect((await holder.get("/v1/flights")).status).toBe(200);
  await world.service.operator("DELETE", `/credentials/${client.id}`);
  expect((await holder.get("/v1/flights")).status).toBe(401);
  expect(oauthErrorOf(await requestToken(world, formOf(client)))).toStrictEqual([401, "invalid_client"]);
});
