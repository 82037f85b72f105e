import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type BookingCreated, type BookingEvent, DAY, ERASED_WORDS, HOUR } from "@travel-booking/domain";
import { bookingCodeOf } from "@travel-booking/domain/boarding-pass";
import { BOOKINGS } from "@travel-booking/read-models";
import type { WordKey } from "@travel-booking/read-models/sealed-words";
import { created, DEPARTS_AT, idsOf, paid, refundStarted, T0, transferStarted } from "./kit/bookings.ts";
import { referenceChanged } from "./kit/events.ts";
import { type ApiReader, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

let service: ReadService;
let read: ApiReader;
beforeEach(async () => {
  service = await startReadService(T0);
  read = await service.openAccount("acc_1");
});
afterEach(() => service.stop());

const record = (number: number, ...events: readonly BookingEvent[]) =>
  service.record(`booking-${idsOf(number).booking}`, ...events);
const book = (number: number, changes: Partial<BookingCreated["data"]> = {}, at = T0 + number) =>
  record(number, created(idsOf(number), at, changes));
const party = (...emails: readonly string[]) => ({ passengers: emails.map((email) => ({ name: "Ada", email })) });

/** The numbers of the bookings that are listed, in their order. */
async function found(query: string, limit = 2, as = read): Promise<readonly number[]> {
  const pages = (await readAllPages(as, `/v1/bookings?limit=${limit}&${query}`)) as { readonly id: string }[][];
  return pages.flat().map(({ id }) => Number.parseInt(id.slice("bkg_".length), 16));
}

describe.each([
  ["a key of its own", true],
  ["no key from before there were some", false],
])("by the words of an account with %s", (_name, isNew) => {
  beforeEach(() => service.words.keys.findOrCreate("acc_1", "acc_1", isNew));

  test("an e-mail address as a whole, whatever its case, of any passenger", async () => {
    await book(1, party("eve@example.com", "Ada@Example.com"));
    await book(2, party("ada@example.com", "ADA@example.com"));
    await book(3, party("xada@example.com", "ada@example.co"));
    await book(4, { ...party("ada@example.com"), accountId: "acc_2" });
    expect(await found("email=ADA@EXAMPLE.COM")).toStrictEqual([2, 1]);
    expect(await found("email=ada@example.com", 1)).toStrictEqual([2, 1]);
    expect(await found("email=example.com@example.com")).toStrictEqual([]);
    expect(await found("email=eve@example.com&createdAfter=2027-01-03T10:00:00.001Z")).toStrictEqual([]);
    await record(1, {
      type: "BookingChanged",
      at: T0 + 9,
      data: { changeId: null, ...party("eve@example.com", "x@example.com") },
    });
    expect(await found("email=ada@example.com")).toStrictEqual([2]);
    expect(await found("email=x@example.com")).toStrictEqual([1]);
  });

  test("a reference exactly, as it is now", async () => {
    await book(1, { reference: "Ref-1" });
    await book(2, { reference: "ref-1" });
    await book(3);
    expect(await found("reference=Ref-1")).toStrictEqual([1]);
    expect(await found("reference=Ref")).toStrictEqual([]);
    await record(3, referenceChanged(T0 + 9, "Ref-1"));
    await record(1, { type: "BookingChanged", at: T0 + 9, data: { changeId: null, reference: null } });
    expect(await found("reference=Ref-1")).toStrictEqual([3]);
    expect(await found("reference=Ref-1&email=ada@example.com&status=pending&flightId=flt_1")).toStrictEqual([3]);
    expect(await found("reference=Ref-1&email=eve@example.com")).toStrictEqual([]);
  });

  test("no erased booking, also by what stands for its words; by everything else it is found", async () => {
    const key = (await service.words.keys.pages.next("acc_1")) as WordKey;
    const ids = idsOf(1);
    const made = created(ids, T0, { reference: "Ref-1" });
    await record(1, service.words.sealEvent(made, key), {
      type: "BookingCancelled",
      at: T0,
      data: { bookingId: ids.booking, cause: "requested", reason: null },
    });
    expect(await found("reference=Ref-1")).toStrictEqual([1]);
    await service.words.keys.erase(key.id);
    expect(await found("reference=Ref-1&email=ada@example.com")).toStrictEqual([]);
    await record(1, { type: "BookingErased", at: T0, data: { bookingId: ids.booking } });
    const byWords = ["reference=Ref-1", "email=ada@example.com", "reference=[erased]", "email=Erased@erased.invalid"];
    for (const query of byWords) expect(await found(query)).toStrictEqual([]);
    const clues = await service.models.body(BOOKINGS.clues.model, ids.booking);
    expect(clues?.json).toBe(JSON.stringify(["flt_1", DEPARTS_AT, T0]));
    for (const query of ["flightId=flt_1", "status=cancelled", `passCode=${bookingCodeOf(ids.booking)}`]) {
      expect(await found(query)).toStrictEqual([1]);
    }
  });
});

test("by no word of a booking whose key alone is erased, once it changes: twice, and with a reference", async () => {
  await service.words.keys.findOrCreate("acc_1", "acc_1", true);
  const key = (await service.words.keys.pages.next("acc_1")) as WordKey;
  const ids = idsOf(1);
  await record(1, service.words.sealEvent(created(ids, T0, { reference: "Ref-1" }), key));
  expect(await found("reference=Ref-1&email=ada@example.com")).toStrictEqual([1]);
  await service.words.keys.erase(key.id);
  for (const reference of [null, null, ERASED_WORDS.text]) {
    await record(1, { type: "BookingChanged", at: T0 + 9, data: { changeId: null, reference } });
    const clues = await service.models.body(BOOKINGS.clues.model, ids.booking);
    expect(clues?.json).toBe(JSON.stringify(["flt_1", DEPARTS_AT, T0]));
  }
  // As a rebuild finds it.
  await book(2, { reference: ERASED_WORDS.text, ...party(ERASED_WORDS.email) });
  const clues = await service.models.body(BOOKINGS.clues.model, idsOf(2).booking);
  expect(clues?.json).toBe(JSON.stringify(["flt_1", DEPARTS_AT, T0 + 2]));
});

test("by a word nothing else is read", async () => {
  await service.words.keys.findOrCreate("acc_1", "acc_1", true);
  for (let number = 1; number <= 30; number += 1) await book(number, { reference: `r${number % 10}` });
  service.models.listedBookings = 0;
  expect(await found("reference=r3", 10)).toStrictEqual([23, 13, 3]);
  expect(await found("flightId=flt_2")).toStrictEqual([]);
  expect(await found("passCode=222222")).toStrictEqual([]);
  expect(service.models.listedBookings).toBe(0);
  const stored = await service.models.document(BOOKINGS.clues.model, idsOf(3).booking);
  expect(JSON.parse(stored?.body ?? "")).toStrictEqual([
    "flt_1",
    DEPARTS_AT,
    T0 + 3,
    expect.any(String),
    expect.any(String),
  ]);
  expect(JSON.stringify([stored?.body, stored?.state, stored?.indexes])).not.toMatch(/r3|ada/);
});

describe("by what it is", () => {
  test("a flight, a status by the clock, a code", async () => {
    await book(1, { flightId: "flt_2" });
    await book(2, { flightId: "flt_2" });
    await record(2, ...paid(idsOf(2), T0 + 9));
    await book(3);
    expect(await found("flightId=flt_2")).toStrictEqual([2, 1]);
    expect(await found("status=pending")).toStrictEqual([3, 1]);
    expect(await found("status=confirmed&flightId=flt_2")).toStrictEqual([2]);
    service.clock.set(T0 + 2 * DAY);
    expect(await found("status=pending")).toStrictEqual([]);
    expect(await found("status=cancelled", 1)).toStrictEqual([3, 1]);
    const code = bookingCodeOf(idsOf(3).booking);
    expect(await found(`passCode=${code.toLowerCase()}`)).toStrictEqual([3]);
    expect(await found(`passCode=${code}&status=confirmed`)).toStrictEqual([]);
    expect(await found(`passCode=${code}`, 2, await service.openAccount("acc_2"))).toStrictEqual([]);
  });

  test("when it was made, both moments excluded", async () => {
    for (let number = 1; number <= 5; number += 1) await book(number, {}, T0 + number * HOUR);
    service.clock.set(T0 + 9 * HOUR);
    expect(await found("createdAfter=2027-01-03T12:00:00Z&createdBefore=2027-01-03T15:00:00Z")).toStrictEqual([4, 3]);
    expect(await found("createdAfter=2027-01-03T12:59:59.999%2B01:00", 100)).toStrictEqual([5, 4, 3, 2]);
    expect(await found("createdBefore=2027-01-03T12:00:00.0001Z&flightId=flt_1")).toStrictEqual([2, 1]);
    expect(await found("createdAfter=2027-01-03T15:00:00Z")).toStrictEqual([]);
    expect(await found("createdBefore=0001-01-01T00:00:00Z")).toStrictEqual([]);
  });

  test("when it departs, from a day or moment on, and before one", async () => {
    const departure = new Date(DEPARTS_AT).toISOString();
    const day = departure.slice(0, 10);
    await book(1);
    await book(2, { departsAt: DEPARTS_AT + DAY });
    expect(await found(`departsAfter=${day}`)).toStrictEqual([2, 1]);
    expect(await found(`departsAfter=${departure}`)).toStrictEqual([2, 1]);
    expect(await found(`departsAfter=${departure.replace("Z", "1Z")}`)).toStrictEqual([2]);
    expect(await found(`departsBefore=${departure}`)).toStrictEqual([]);
    expect(await found(`departsBefore=${departure.replace("Z", "1Z")}`)).toStrictEqual([1]);
    expect(await found(`departsBefore=${day}`)).toStrictEqual([]);
  });
});

test("400 names each filter that is none; a cursor goes with its filters", async () => {
  const wrong = [
    "status=paid",
    "passCode=12345",
    "email=ada",
    "createdAfter=2027-01-03",
    "departsAfter=soon",
    "name=Ada",
  ];
  const refused = await read(`/v1/bookings?${wrong.join("&")}`);
  expect(refused.status).toBe(400);
  expect((refused.body as { message: string[] }).message).toStrictEqual([
    "status must be one of pending, confirmed, cancelled",
    expect.stringMatching(/^email /),
    "passCode must be six letters and digits",
    expect.stringMatching(/^createdAfter /),
    "departsAfter must be a date or a date-time with an offset",
    "name is not a known parameter",
  ]);
  await book(1);
  await book(2);
  const first = (await read("/v1/bookings?limit=1&status=pending")).body as { page: { nextCursor: string } };
  const next = (filter: string) => read(`/v1/bookings?limit=1&cursor=${first.page.nextCursor}${filter}`);
  expect((await next("&status=pending")).status).toBe(200);
  expect([(await next("")).status, (await next("&status=confirmed")).status]).toStrictEqual([400, 400]);
});

describe("payments", () => {
  const list = async (query: string, limit = 1) =>
    ((await readAllPages(read, `/v1/payments?limit=${limit}&${query}`)) as { id: string }[][])
      .flat()
      .map(({ id }) => id);
  const [one, two, three] = [idsOf(1), idsOf(2), idsOf(3)];

  test("newest first, by booking, status and time, each as it is now", async () => {
    for (const number of [1, 2]) await book(number, {}, T0);
    await book(3, { accountId: "acc_2" }, T0);
    await record(2, ...paid(two, T0 + 1));
    await record(1, transferStarted(one, T0 + 2), ...paid(one, T0 + 3));
    await record(3, ...paid(three, T0 + 4));
    expect(await list("")).toStrictEqual([one.card, one.transfer, two.card]);
    expect(await list(`bookingId=${one.booking}`)).toStrictEqual([one.card, one.transfer]);
    expect(await list(`bookingId=${three.booking}`)).toStrictEqual([]);
    expect(await list("status=pending")).toStrictEqual([one.transfer]);
    expect(await list(`status=succeeded&bookingId=${one.booking}`)).toStrictEqual([one.card]);
    expect(await list("createdAfter=2027-01-03T10:00:00.001Z&createdBefore=2027-01-03T10:00:00.003Z")).toStrictEqual([
      one.transfer,
    ]);
    const period = `bookingId=${one.booking}&createdAfter=2027-01-03T10:00:00.002Z`;
    expect(await list(period)).toStrictEqual([one.card]);
    await record(2, refundStarted(two, T0 + 5, T0 + DAY));
    service.clock.set(T0 + 80 * HOUR);
    const all = (await read("/v1/payments")).body as { data: { id: string }[] };
    for (const payment of all.data) expect((await read(`/v1/payments/${payment.id}`)).body).toStrictEqual(payment);
    expect(all.data).toHaveLength(3);
  });

  test("one that was withdrawn is in no list", async () => {
    await book(1, {}, T0);
    const [started] = paid(one, T0 + 1) as [BookingEvent];
    await record(1, started, { type: "PaymentWithdrawn", at: T0 + 2, data: { paymentId: one.card } });
    await record(1, transferStarted(one, T0 + 3));
    expect(await list("status=pending", 2)).toStrictEqual([one.transfer]);
    service.clock.set(T0 + 80 * HOUR);
    expect(await list("status=pending")).toStrictEqual([]);
    expect(await list("status=failed", 2)).toStrictEqual([one.transfer]);
    expect((await read(`/v1/bookings/${one.booking}/payments`)).body).toMatchObject({ data: [{ id: one.transfer }] });
  });

  test("those of a large booking are read once", async () => {
    await book(1, {}, T0);
    for (let number = 0; number < 20; number += 1) {
      const ids = { ...one, card: `${one.card.slice(0, -2)}${number.toString(16).padStart(2, "0")}` };
      const [started] = paid(ids, T0 + number) as [BookingEvent];
      const { card: paymentId } = ids;
      await record(1, started, { type: "PaymentFailed", at: T0, data: { paymentId, failureCode: "card_declined" } });
    }
    service.models.wholeBookings = 0;
    expect(await list("", 20)).toHaveLength(20);
    expect(service.models.wholeBookings).toBe(1);
  });
});
