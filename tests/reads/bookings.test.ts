import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  bookingSchema,
  bookingSummarySchema,
  cancellationQuoteSchema,
  getBookingHistoryOperation,
  listBookingsOperation,
} from "@travel-booking/api-contract";
import { DAY, HOUR } from "@travel-booking/domain";
import { created, DEPARTS_AT, idsOf, paid, shown, T0, TOTAL, transferStarted } from "./kit/bookings.ts";
import { schedule } from "./kit/flights.ts";
import { type ApiReader, errorOf, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

const ONE = idsOf(1);
const NO_BOOKING = errorOf(404, "no booking with this id", "Not Found");

let service: ReadService;
let read: ApiReader;
let readAsOther: ApiReader;
beforeEach(async () => {
  service = await startReadService(T0);
  read = await service.openAccount("acc_1");
  readAsOther = await service.openAccount("acc_2");
  await service.record(`booking-${ONE.booking}`, created(ONE));
});
afterEach(() => service.stop());

async function pay(at = T0 + 1_000): Promise<void> {
  service.clock.set(at);
  await service.record(`booking-${ONE.booking}`, ...paid(ONE, at));
}

describe("a booking", () => {
  const url = `/v1/bookings/${ONE.booking}`;

  test("by its id", async () => {
    const answer = await read(url);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual(shown(ONE));
    expect(bookingSchema.safeParse(answer.body).success).toBe(true);
    await pay();
    expect((await read(url)).body).toStrictEqual(shown(ONE, { status: "confirmed" }));
  });

  test("another account's is not there, nor is one nobody has", async () => {
    const below = ["", "?asOf=2027-01-03T10:00:00Z", "/history", "/summary", "/cancellation-quote"];
    for (const path of below.map((part) => `${url}${part}`)) {
      const answer = await readAsOther(path);
      expect({ status: answer.status, body: answer.body }).toStrictEqual({ status: 404, body: NO_BOOKING });
    }
    const strange = ["bkg_x", "x%2Fy", `acc_1%2F${ONE.booking}`, encodeURIComponent("é".repeat(200))];
    for (const id of strange) expect((await read(`/v1/bookings/${id}`)).body).toStrictEqual(NO_BOOKING);
    expect((await readAsOther(`/v1/bookings/..%2Facc_1%2F${ONE.booking}`)).status).toBe(404);
  });

  test("expires by the clock, recorded or not", async () => {
    service.clock.set(T0 + DAY - 1);
    expect((await read(url)).body).toStrictEqual(shown(ONE));
    service.clock.set(T0 + DAY);
    const cancelled = shown(ONE, { status: "cancelled" });
    expect((await read(url)).body).toStrictEqual(cancelled);
    expect((await read("/v1/bookings")).body).toStrictEqual({
      data: [cancelled],
      page: { nextCursor: null, hasMore: false },
    });
  });

  test("with a bank transfer under way it expires when that is due", async () => {
    await service.record(`booking-${ONE.booking}`, transferStarted(ONE, T0));
    service.clock.set(T0 + 72 * HOUR - 1);
    expect((await read(url)).body).toStrictEqual(shown(ONE));
    service.clock.set(T0 + 72 * HOUR);
    expect((await read(url)).body).toStrictEqual(shown(ONE, { status: "cancelled" }));
  });
});

describe("the summary of a booking", () => {
  const url = `/v1/bookings/${ONE.booking}/summary`;
  const unpaid = {
    bookingId: ONE.booking,
    passCode: "BAAAAA",
    expiresAt: "2027-01-04T10:00:00.000Z",
    cancellableUntil: "2027-02-01T10:00:00.000Z",
    cancelledAt: null,
    cancellationReason: null,
    price: { fare: TOTAL, surcharges: 0, credit: 0, total: TOTAL, currency: "USD" },
    paymentIds: [],
    metadata: {},
    updatedAt: "2027-01-03T10:00:00.000Z",
  };

  test("has its times, its price and its payments", async () => {
    const answer = await read(url);
    expect({ status: answer.status, body: answer.body }).toStrictEqual({ status: 200, body: unpaid });
    expect(bookingSummarySchema.safeParse(answer.body).success).toBe(true);
    await pay();
    const confirmed = { ...unpaid, expiresAt: null, paymentIds: [ONE.card], updatedAt: "2027-01-03T10:00:01.000Z" };
    expect((await read(url)).body).toStrictEqual(confirmed);
    await service.record(`booking-${ONE.booking}`, {
      type: "BookingCancelled",
      at: T0 + 2_000,
      data: { bookingId: ONE.booking, cause: "requested", reason: "ill" },
    });
    expect((await read(url)).body).toStrictEqual({
      ...confirmed,
      cancellableUntil: null,
      cancelledAt: "2027-01-03T10:00:02.000Z",
      cancellationReason: "ill",
      updatedAt: "2027-01-03T10:00:02.000Z",
    });
  });

  test("its price is that of all passengers and of the seats they chose, minus credit", async () => {
    const two = idsOf(2);
    const party = [1, 2].map((each) => ({ name: `P${each}`, email: `p${each}@example.com` }));
    const seats = { passengers: party, seats: ["10A", "10B"], surcharges: [2_500, 4_000] };
    const price = { creditApplied: 10_000, totalAmount: 196_500 };
    await service.record(`booking-${two.booking}`, created(two, T0, { ...seats, ...price }));
    const { body } = await read(`/v1/bookings/${two.booking}/summary`);
    expect((body as typeof unpaid).price).toStrictEqual({
      fare: 200_000,
      surcharges: 6_500,
      credit: 10_000,
      total: 196_500,
      currency: "USD",
    });
  });

  test("it expires by the clock, recorded or not", async () => {
    service.clock.set(T0 + DAY);
    const at = "2027-01-04T10:00:00.000Z";
    const expired = { ...unpaid, expiresAt: null, cancellableUntil: null, cancelledAt: at, updatedAt: at };
    expect((await read(url)).body).toStrictEqual(expired);
  });
});

describe("what a cancellation would give back", () => {
  test("is that of this moment", async () => {
    const url = `/v1/bookings/${ONE.booking}/cancellation-quote`;
    const quote = { refundAmount: 0, credit: 0, currency: "USD", until: "2027-02-01T10:00:00.000Z" };
    const answer = await read(url);
    expect({ status: answer.status, body: answer.body }).toStrictEqual({ status: 200, body: quote });
    expect(cancellationQuoteSchema.safeParse(answer.body).success).toBe(true);
    await pay();
    expect((await read(url)).body).toStrictEqual({ ...quote, refundAmount: TOTAL });
    service.clock.set(DEPARTS_AT - DAY + 1);
    expect((await read(url)).body).toStrictEqual(quote);
    await service.record(`booking-${idsOf(2).booking}`, created(idsOf(2)));
    const expired = await read(`/v1/bookings/${idsOf(2).booking}/cancellation-quote`);
    expect(expired.body).toStrictEqual({ ...quote, until: null });
  });
});

test("a booking behind its cancelled flight has the quote and the summary that its cancellation would find", async () => {
  await schedule(service, "flt_1", new Date(DEPARTS_AT).toISOString());
  await pay();
  const decided = { disruptionId: "dis_1", revision: 1, policy: "refund", reason: null } as const;
  const at = DEPARTS_AT - HOUR;
  service.clock.set(at);
  await service.record("flight-flt_1", { type: "FlightCancelled", at, data: { ...decided, bookings: 1 } });
  const answers = [];
  for (const path of ["", "/cancellation-quote", "/summary"])
    answers.push((await read(`/v1/bookings/${ONE.booking}${path}`)).body);
  const [booking, quote, summary] = answers as Record<string, unknown>[];
  expect(booking).toStrictEqual(shown(ONE, { status: "confirmed" }));
  expect(quote).toStrictEqual({ refundAmount: TOTAL, credit: 0, currency: "USD", until: null });
  const now = new Date(at).toISOString();
  expect([summary?.cancellableUntil, summary?.cancelledAt, summary?.updatedAt]).toStrictEqual([null, now, now]);
});

describe("a booking as it was", () => {
  const asOf = (moment: string) => read(`/v1/bookings/${ONE.booking}?asOf=${encodeURIComponent(moment)}`);

  test("after the last event at or before that moment", async () => {
    await pay(T0 + 1_000);
    service.clock.set(T0 + 10_000);
    expect((await asOf("2027-01-03T10:00:00Z")).body).toStrictEqual(shown(ONE));
    expect((await asOf("2027-01-03T11:00:00.999+01:00")).body).toStrictEqual(shown(ONE));
    expect((await asOf("2027-01-03T10:00:01Z")).body).toStrictEqual(shown(ONE, { status: "confirmed" }));
    expect((await asOf("2027-01-03T10:00:10Z")).body).toStrictEqual(shown(ONE, { status: "confirmed" }));
  });

  test("404 before there was one; 400 for the future and for what is no moment", async () => {
    const before = await asOf("2027-01-03T09:59:59.999Z");
    expect(before.body).toStrictEqual(errorOf(404, "this booking did not exist yet at asOf", "Not Found"));
    expect((await asOf("0001-01-01T00:00:00Z")).status).toBe(404);
    const future = await asOf("2027-01-03T10:00:00.001Z");
    expect(future.body).toStrictEqual(errorOf(400, ["asOf must not be in the future"], "Bad Request"));
    expect((await asOf("yesterday")).status).toBe(400);
  });
});

test("the metadata of a booking is in its summary and its history, and nowhere else", async () => {
  const two = idsOf(2);
  const stream = `booking-${two.booking}`;
  await service.record(stream, created(two, T0, { metadata: [["order", "7"]] }), {
    type: "BookingChanged",
    at: T0 + 1,
    data: { changeId: null, metadata: [["agent", "A"]] },
  });
  expect((await read(`/v1/bookings/${two.booking}/summary`)).body).toMatchObject({ metadata: { agent: "A" } });
  const { body } = await read(`/v1/bookings/${two.booking}/history`);
  const { data } = body as { data: { changes: Record<string, unknown> }[] };
  expect(data[0]?.changes.metadata).toStrictEqual({ from: null, to: { order: "7" } });
  expect(data[1]?.changes).toStrictEqual({ metadata: { from: { order: "7" }, to: { agent: "A" } } });
  expect((await read(`/v1/bookings/${two.booking}`)).body).toStrictEqual(shown(two));
});

describe("lists of bookings", () => {
  test("newest first, page by page, the account's own alone", async () => {
    await service.record(`booking-${idsOf(9).booking}`, created(idsOf(9), T0, { accountId: "acc_2" }));
    for (const number of [4, 2, 3]) await service.record(`booking-${idsOf(number).booking}`, created(idsOf(number)));
    await pay();
    const one = shown(ONE, { status: "confirmed" });
    const [four, two, three] = [shown(idsOf(4)), shown(idsOf(2)), shown(idsOf(3))];
    const answer = await read("/v1/bookings");
    expect(answer.body).toStrictEqual({ data: [three, two, four, one], page: { nextCursor: null, hasMore: false } });
    expect(listBookingsOperation.success.body.safeParse(answer.body).success).toBe(true);
    expect(await readAllPages(read, "/v1/bookings?limit=3")).toStrictEqual([[three, two, four], [one]]);
    expect(await readAllPages(readAsOther, "/v1/bookings?limit=1")).toStrictEqual([[shown(idsOf(9))]]);
  });

  test("another account's cursor is of no use", async () => {
    await service.record(`booking-${idsOf(2).booking}`, created(idsOf(2)));
    const first = (await read("/v1/bookings?limit=1")).body as { page: { nextCursor: string } };
    expect((await readAsOther(`/v1/bookings?cursor=${first.page.nextCursor}`)).status).toBe(400);
    expect((await read(`/v1/bookings?cursor=${first.page.nextCursor}`)).status).toBe(200);
  });
});

describe("the history of a booking", () => {
  test("oldest first, page by page", async () => {
    await pay();
    const url = `/v1/bookings/${ONE.booking}/history`;
    const answer = await read(url);
    expect(getBookingHistoryOperation.success.body.safeParse(answer.body).success).toBe(true);
    const { data } = answer.body as { data: { type: string; actor: unknown; requestId: string; changes: unknown }[] };
    expect(data.map(({ type }) => type)).toStrictEqual([
      "booking.created",
      "payment.created",
      "payment.succeeded",
      "booking.confirmed",
    ]);
    expect(data[3]).toStrictEqual({
      id: expect.any(String),
      type: "booking.confirmed",
      createdAt: "2027-01-03T10:00:01.000Z",
      actor: { kind: "credential", id: "crd_1" },
      requestId: "req_1",
      changes: { status: { from: "pending", to: "confirmed" } },
    });
    expect(await readAllPages(read, `${url}?limit=3`)).toStrictEqual([data.slice(0, 3), data.slice(3)]);
  });

  test("a cursor of one booking's history is of no use for another's", async () => {
    await service.record(`booking-${idsOf(2).booking}`, created(idsOf(2)), ...paid(idsOf(2), T0));
    await pay();
    const first = (await read(`/v1/bookings/${ONE.booking}/history?limit=1`)).body as { page: { nextCursor: string } };
    const other = `/v1/bookings/${idsOf(2).booking}/history?cursor=${first.page.nextCursor}`;
    expect((await read(other)).status).toBe(400);
  });
});
