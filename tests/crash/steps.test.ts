import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type {
  NewWebhookEndpointBody,
  PassengerProfileBody,
  WebhookEndpointBody,
  WebhookStatusBody,
} from "@travel-booking/api-contract";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import type { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { CrashableService } from "./support/crashable-service.ts";

interface Booking {
  readonly id: string;
  readonly flightId: string;
  readonly status: string;
  readonly cabin: string;
  readonly totalAmount: number;
  readonly seats: readonly string[];
  readonly passengers: readonly object[];
}
interface Payment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly amountRefunded: number;
  readonly refunds: readonly { readonly status: string; readonly amount: number }[];
}
interface Transfer {
  readonly amount: number;
  readonly method: { readonly bankTransfer: { readonly reference: string } };
}
interface Row {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
}
interface Flight {
  readonly departsAt: string;
  readonly fares: readonly { readonly cabin: string; readonly seatsLeft: number }[];
}
interface Transaction {
  readonly points: number;
  readonly balanceAfter: number;
}
interface List<Item> {
  readonly data: readonly Item[];
}

const FLIGHT = "CR-1";
const UPGRADE_POINTS = 40_000;
const ADA = [{ name: "Ada Lovelace", email: "ada@example.com" }];
const BOTH = [...ADA, { name: "Alan Turing", email: "alan@example.com" }];
const PASSENGERS = "/v1/passengers";
const ENDPOINTS = "/v1/webhook-endpoints";
const ENDPOINT = { url: "https://8.8.8.8/events", events: ["payment.failed"] };

const profile = (email: string) => ({
  firstName: "Ada",
  lastName: "Lovelace",
  email,
  dateOfBirth: "1985-12-10",
  nationality: "GB",
});

/** The steps at which the cases kill the service, in order. */
const STEPS = [
  "book:allocated",
  "pay:charged",
  "transfer:recorded",
  "cancel:released",
  "change:decided",
  "redeem:given",
  "passenger:changed",
  "endpoint:registered",
  "endpoint:changed",
];

/**
 * One operation of each kind that works on several streams, killed with its process; `command-service/test` shows every
 * step of all of them without one. One data folder for all of it: what earlier cases left must still be there.
 */
describe("killed between two steps", () => {
  let mortal: CrashableService;

  beforeAll(async () => {
    mortal = await CrashableService.start(STEPS);
    await importFlights(mortal.service, [{ id: FLIGHT, departsIn: 60 }]);
    await mortal.service.operator("POST", "/loyalty/adjustments", {
      accountId: mortal.credential.accountId,
      points: 1_000_000,
      reason: "to be spent",
    });
  });
  afterAll(() => mortal.discard());

  const api = () => mortal.api;
  const list = async <Item>(path: string) => (await api().get<List<Item>>(path)).body.data;
  const bookingOf = async (id: string) => (await api().get<Booking>(`/v1/bookings/${id}`)).body;
  const paymentOf = async (id: string) => (await api().get<Payment>(`/v1/payments/${id}`)).body;
  const key = (name: string) => ({ "Idempotency-Key": name });

  const book = (client: ApiClient, more: object = {}, headers = {}) =>
    client.post<Booking>("/v1/bookings", { flightId: FLIGHT, cabin: "economy", passengers: ADA, ...more }, headers);
  const pay = (client: ApiClient, bookingId: string, headers = key(`pay ${bookingId}`)) =>
    client.post<Payment>(`/v1/bookings/${bookingId}/payments`, { type: "card", token: "tok_visa" }, headers);

  async function newBooking(more: object = {}): Promise<Booking> {
    const { status, body } = await book(api(), more);
    expect(status).toBe(201);
    return body;
  }

  async function paidBooking(more: object = {}): Promise<{ readonly booking: Booking; readonly payment: Payment }> {
    const booking = await newBooking(more);
    const { status, body: payment } = await pay(api(), booking.id);
    expect(status).toBe(201);
    return { booking, payment };
  }

  /** No seat of a cabin is lost or promised twice, points add up, and every projection goes on. */
  async function expectNothingLeaked(): Promise<void> {
    const bookings = (await list<Booking>("/v1/bookings?limit=100")).filter(({ flightId }) => flightId === FLIGHT);
    const { fares } = (await api().get<Flight>(`/v1/flights/${FLIGHT}`)).body;
    for (const { cabin, seatsLeft } of fares) {
      const taken = bookings
        .filter((booking) => booking.status !== "cancelled" && booking.cabin === cabin)
        .reduce((sum, { passengers }) => sum + passengers.length, 0);
      expect([cabin, seatsLeft]).toStrictEqual([cabin, (cabin === "business" ? 4 : 60) - taken]);
    }
    const transactions = await list<Transaction>("/v1/loyalty/transactions?limit=100");
    const sum = transactions.reduce((total, { points }) => total + points, 0);
    const account = await api().get<{ readonly pointsBalance: number }>("/v1/loyalty/account");
    expect([account.body.pointsBalance, transactions[0]?.balanceAfter]).toStrictEqual([sum, sum]);
    const projections = await mortal.service.operator("GET", "/projections");
    const states = (projections.body as List<{ readonly state: string }>).data.map(({ state }) => state);
    expect(new Set(states)).toStrictEqual(new Set(["live"]));
  }

  test("book, at book:allocated: the same request again finishes it, once", async () => {
    const request = (client: ApiClient) => book(client, { passengers: BOTH }, key("book"));
    await mortal.crashDuring("book:allocated", request);
    const again = await request(api());
    expect(again.status).toBe(201);
    await mortal.advancePastGracePeriods();
    expect(await list("/v1/bookings")).toStrictEqual([again.body]);
    await expectNothingLeaked();
  });

  test("pay, at pay:charged: the same request again is the same payment, charged once", async () => {
    const { id } = await newBooking();
    await mortal.crashDuring("pay:charged", (client) => pay(client, id));
    const again = await pay(api(), id);
    expect([again.status, again.body.status]).toStrictEqual([201, "succeeded"]);
    await mortal.advancePastGracePeriods();
    expect((await bookingOf(id)).status).toBe("confirmed");
    const history = await list<{ readonly type: string }>(`/v1/bookings/${id}/history?limit=100`);
    expect(history.filter(({ type }) => type === "payment.created")).toHaveLength(1);
    expect((await pay(api(), id, key("once more"))).status).toBe(409);
  });

  test("money arrives, at transfer:recorded: its booking counts it, once; what matches nothing stands there", async () => {
    const { id } = await newBooking();
    const path = `/v1/bookings/${id}/payments`;
    const { amount, method } = (await api().post<Transfer>(path, { type: "bank_transfer" }, key("transfer"))).body;
    const receive = (entryId: string, reference = method.bankTransfer.reference) =>
      mortal.service.operator("POST", "/transfers", { reference, amount, entryId });
    await mortal.crashDuring("transfer:recorded", () => receive("e1"));
    await mortal.advancePastGracePeriods();
    expect((await bookingOf(id)).status).toBe("confirmed");
    expect((await receive("e2", "of somebody")).status).toBe(404);
    const { body } = await receive("e1");
    const rows = (await mortal.service.operator("GET", "/transfers")).body as List<Row>;
    expect(rows.data.map((row) => [row.id, row.amount, row.status])).toStrictEqual([
      ["e1", amount, "applied"],
      ["e2", amount, "unmatched"],
    ]);
    expect(body).toStrictEqual({ data: rows.data.slice(0, 1) });
  });

  test("cancel, at cancel:released: the seats go back and the money goes back, once", async () => {
    const { booking, payment } = await paidBooking();
    await mortal.crashDuring("cancel:released", (client) => client.post(`/v1/bookings/${booking.id}/cancel`));
    await mortal.advancePastGracePeriods();
    expect((await bookingOf(booking.id)).status).toBe("cancelled");
    const { amountRefunded, refunds } = await paymentOf(payment.id);
    expect(amountRefunded).toBe(payment.amount);
    expect(refunds).toMatchObject([{ status: "succeeded", amount: payment.amount }]);
    await expectNothingLeaked();
  });

  test("change seats, at change:decided: the booking has the seats it says, and no others", async () => {
    const { id } = await newBooking({ passengers: BOTH });
    const seats = ["12A", "12B"];
    await mortal.crashDuring("change:decided", (client) => client.patch(`/v1/bookings/${id}`, { seats }));
    await mortal.advancePastGracePeriods();
    expect((await bookingOf(id)).seats).toStrictEqual(seats);
    expect((await api().post(`/v1/flights/${FLIGHT}/seat-holds`, { seats })).status).toBe(409);
    await expectNothingLeaked();
  });

  test("redeem, at redeem:given: the points are taken, for the cabin the booking has", async () => {
    const balance = async () => (await api().get<{ pointsBalance: number }>("/v1/loyalty/account")).body.pointsBalance;
    const before = await balance();
    const { id } = await newBooking();
    const body = { reward: "cabin_upgrade", bookingId: id };
    await mortal.crashDuring("redeem:given", (client) => client.post("/v1/loyalty/redemptions", body));
    await mortal.advancePastGracePeriods();
    expect((await bookingOf(id)).cabin).toBe("business");
    expect(await balance()).toBe(before - UPGRADE_POINTS);
    await expectNothingLeaked();
  });

  describe("a saved passenger", () => {
    const save = (client: ApiClient, email: string) => client.post<PassengerProfileBody>(PASSENGERS, profile(email));
    const idsWith = async (email: string) =>
      (await list<PassengerProfileBody>(`${PASSENGERS}?email=${email}`)).map(({ id }) => id);

    test("another address, at passenger:changed: the same request again is the same change", async () => {
      const { id } = (await save(api(), "before@example.com")).body;
      const request = (client: ApiClient) =>
        client.patch<PassengerProfileBody>(`${PASSENGERS}/${id}`, { email: "after@example.com" }, key("move"));
      await mortal.crashDuring("passenger:changed", request);
      const again = await request(api());
      expect([again.status, again.body.email]).toStrictEqual([200, "after@example.com"]);
      await mortal.advancePastGracePeriods();
      expect(await idsWith("after@example.com")).toStrictEqual([id]);
      expect((await save(api(), "after@example.com")).status).toBe(409);
      expect((await save(api(), "before@example.com")).status).toBe(201);
    });
  });

  describe("a webhook endpoint", () => {
    const create = (client: ApiClient, name: string) =>
      client.post<NewWebhookEndpointBody>(ENDPOINTS, ENDPOINT, key(name));
    const listed = async () => (await list<WebhookEndpointBody>(ENDPOINTS)).map(({ id }) => id);

    test("create, at endpoint:registered: the same request again makes it, once", async () => {
      await mortal.crashDuring("endpoint:registered", (client) => create(client, "create"));
      const again = await create(api(), "create");
      expect(again.status).toBe(201);
      expect(await listed()).toStrictEqual([again.body.id]);
      expect((await create(api(), "create")).body).toStrictEqual(again.body);
    });

    test("change, at endpoint:changed: the same request again answers what it has become", async () => {
      const { id } = (await create(api(), "to be changed")).body;
      const changed = { ...ENDPOINT, events: ["hold.expired"] };
      const change = (client: ApiClient) =>
        client.patch<WebhookEndpointBody>(
          `${ENDPOINTS}/${id}`,
          { ...changed, headers: { "X-Key": "k" } },
          key("change"),
        );
      await mortal.crashDuring("endpoint:changed", change);
      const again = await change(api());
      expect([again.status, again.body]).toStrictEqual([200, { id, ...changed }]);
      expect((await api().get<WebhookStatusBody>(`${ENDPOINTS}/${id}/status`)).body.headerNames).toStrictEqual([
        "X-Key",
      ]);
    });
  });

  test("the read models equal a rebuild from nothing", async () => {
    const before = await everythingRead();
    for (const name of PROJECTION_NAMES) {
      expect((await mortal.service.operator("POST", `/projections/${name}/rebuild`)).status).toBe(200);
    }
    expect(await everythingRead()).toStrictEqual(before);
  });

  async function everythingRead(): Promise<unknown> {
    const bookings = await list<Booking>("/v1/bookings?limit=100");
    const paths = [
      ...bookings.flatMap(({ id }) => [`/v1/bookings/${id}`, `/v1/bookings/${id}/history?limit=100`]),
      `/v1/flights/${FLIGHT}`,
      `/v1/flights/${FLIGHT}/seat-map`,
      "/v1/events?limit=100",
      "/v1/loyalty/account",
      "/v1/loyalty/transactions?limit=100",
      `${PASSENGERS}?limit=100`,
      ENDPOINTS,
    ];
    const transfers = (await mortal.service.operator("GET", "/transfers")).body;
    return Promise.all([bookings, transfers, ...paths.map(async (path) => (await api().get(path)).body)]);
  }
});
