import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { EventBody } from "@travel-booking/api-contract";
import { DAY, HOUR, SECOND } from "@travel-booking/domain";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { idsOf, paid, T0 } from "./kit/bookings.ts";
import { feed, recordBooking, recordReferenceChanges, summarize } from "./kit/events.ts";
import { type ApiReader, errorOf, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

let service: ReadService;
let ada: ApiReader;
let eve: ApiReader;
/** The n-th change happens so many seconds after the first moment. */
const COUNT = 12;
beforeAll(async () => {
  service = await startReadService(T0 + DAY);
  ada = await service.openAccount("acc_1");
  eve = await service.openAccount("acc_2");
  await recordBooking(service, 1, T0);
  await recordBooking(service, 2, T0);
  await recordBooking(service, 9, T0, "acc_2");
  for (let number = 0; number < COUNT; number += 1) {
    await recordReferenceChanges(service, 1 + (number % 2), T0 + number * SECOND, `r${number}`);
    await recordReferenceChanges(service, 9, T0 + number * SECOND, `eve${number}`);
  }
  await service.record(`booking-${idsOf(1).booking}`, ...paid(idsOf(1), T0 + HOUR));
});
afterAll(() => service.stop());

const ORDER = [...Array.from({ length: COUNT }, (_, number) => `r${number}`), "succeeded", "r10"];
const at = (seconds: number) => new Date(T0 + seconds * SECOND).toISOString();
const query = (parameters: Readonly<Record<string, string>>) => `?${new URLSearchParams(parameters)}`;

async function every(read: ApiReader, parameters: string): Promise<readonly string[]> {
  return summarize((await readAllPages(read, `/v1/events${parameters}`)).flat() as EventBody[]);
}

describe("the feed", () => {
  test("is the account's own, newest first, or in the order things happened", async () => {
    expect(summarize((await feed(ada)).data)).toStrictEqual(ORDER.toReversed());
    expect(summarize((await feed(ada, "?order=asc")).data)).toStrictEqual(ORDER);
    expect(summarize((await feed(eve, "?order=asc&limit=2")).data)).toStrictEqual(["eve0", "eve1"]);
  });

  test.each([1, 3, 13, 14, 100])("comes in pages of %d", async (limit) => {
    expect(await every(ada, `?limit=${limit}`)).toStrictEqual(ORDER.toReversed());
    expect(await every(ada, `?limit=${limit}&order=asc`)).toStrictEqual(ORDER);
  });

  const odd = ORDER.filter((_, index) => index % 2 === 1 && index < COUNT);
  test.each<[Record<string, string>, readonly string[]]>([
    [{ type: "payment.succeeded" }, ["succeeded"]],
    [{ type: "payment.failed" }, []],
    [{ type: "booking.changed" }, ORDER.slice(0, COUNT)],
    [{ bookingId: idsOf(2).booking }, odd],
    [{ bookingId: idsOf(1).booking, type: "booking.confirmed" }, ["r10"]],
    [{ bookingId: idsOf(2).booking, type: "booking.confirmed" }, []],
    [{ bookingId: idsOf(9).booking }, []],
    [{ bookingId: "nobody's" }, []],
    [{ createdAfter: at(3) }, ORDER.slice(4)],
    [{ createdBefore: at(3) }, ORDER.slice(0, 3)],
    [{ createdAfter: at(3), createdBefore: at(6) }, ["r4", "r5"]],
    [{ createdAfter: at(3), createdBefore: at(4) }, []],
    [{ createdAfter: at(6), createdBefore: at(3) }, []],
    [{ createdAfter: at(-1_000) }, ORDER],
    [{ createdBefore: at(1_000_000) }, ORDER],
    [{ createdAfter: at(11) }, ["succeeded", "r10"]],
    [{ createdAfter: at(4), type: "booking.changed", bookingId: idsOf(1).booking }, ["r6", "r8", "r10"]],
  ])("is filtered by %j", async (parameters, expected) => {
    expect(await every(ada, query({ ...parameters, order: "asc", limit: "2" }))).toStrictEqual(expected);
    expect(await every(ada, query({ ...parameters, limit: "3" }))).toStrictEqual(expected.toReversed());
  });

  test("goes on after an event, whatever it is filtered by", async () => {
    const { data } = await feed(ada, "?order=asc");
    for (const index of [0, 4, ORDER.length - 1]) {
      const after = data[index]?.id ?? "";
      expect(await every(ada, query({ after, limit: "4" }))).toStrictEqual(ORDER.slice(index + 1));
      expect(await every(ada, query({ after, limit: "4", order: "asc" }))).toStrictEqual(ORDER.slice(index + 1));
      expect(await every(ada, query({ after, type: "booking.confirmed" }))).toStrictEqual(
        index === ORDER.length - 1 ? [] : ["r10"],
      );
    }
  });

  test("refuses to go on after what is no event of the account", async () => {
    const [foreign] = (await feed(eve)).data;
    await service.state.put("test-events", "acc_1/evt_test", "{}");
    for (const after of ["evt_none", foreign?.id ?? "", idsOf(1).booking, "evt_test"]) {
      const answer = await ada(`/v1/events${query({ after })}`);
      expect([answer.status, answer.body]).toStrictEqual([
        400,
        errorOf(400, ["after is not the id of one of your events"], "Bad Request"),
      ]);
    }
  });

  test("gives cursors for the very list they were made for", async () => {
    const { data, page } = await feed(ada, "?limit=2&order=asc&type=booking.changed");
    const cursor = page.nextCursor ?? "";
    const good = query({ limit: "5", order: "asc", type: "booking.changed", cursor });
    expect(summarize((await feed(ada, good)).data)[0]).toBe("r2");
    const others: readonly (readonly [ApiReader, Record<string, string>])[] = [
      [ada, { cursor }],
      [ada, { cursor, order: "asc" }],
      [ada, { cursor, type: "booking.changed" }],
      [ada, { cursor, order: "asc", type: "booking.cancelled" }],
      [ada, { cursor, order: "asc", type: "booking.changed", bookingId: idsOf(1).booking }],
      [ada, { cursor, order: "asc", type: "booking.changed", createdAfter: at(0) }],
      [ada, { cursor, type: "booking.changed", after: data[0]?.id ?? "" }],
      [eve, { cursor, order: "asc", type: "booking.changed" }],
    ];
    for (const [read, parameters] of others) {
      expect((await read(`/v1/events${query(parameters)}`)).body).toStrictEqual(
        errorOf(400, ["cursor is not one this list has given for these filters"], "Bad Request"),
      );
    }
  });

  test("ends a page of a long life that has nothing for it, and goes on from there", async () => {
    const read = await service.openAccount("acc_3");
    const { booking } = idsOf(3);
    await recordBooking(service, 3, T0, "acc_3");
    const references = Array.from({ length: 2_100 }, (_, number) => `r${number}`);
    await recordReferenceChanges(service, 3, T0, ...references);
    await service.record(`booking-${booking}`, ...paid(idsOf(3), T0 + HOUR));
    const pagesOf = (parameters: Record<string, string>) =>
      readAllPages(read, `/v1/events${query({ bookingId: booking, ...parameters })}`);
    const lengthsOf = async (parameters: Record<string, string>) =>
      (await pagesOf(parameters)).map(({ length }) => length);
    expect(await lengthsOf({ type: "booking.confirmed", order: "asc", wait: "30" })).toStrictEqual([0, 0, 1]);
    expect(await lengthsOf({ type: "booking.confirmed" })).toStrictEqual([1, 0]);
    expect(await lengthsOf({ type: "payment.failed" })).toStrictEqual([0, 0, 0]);
    expect(await lengthsOf({ createdBefore: at(-1) })).toStrictEqual([0, 0, 0]);
    const every = (await pagesOf({ limit: "100", order: "asc" })).flat() as EventBody[];
    expect(summarize(every)).toStrictEqual([...references, "succeeded", "r2099"]);
    const [first] = every;
    const after = first?.id ?? "";
    expect(await lengthsOf({ after, type: "payment.succeeded", wait: "30" })).toStrictEqual([0, 0, 1]);
  });

  test("shows an event once the read model of bookings does, and not before", async () => {
    service.holdBack("bookings");
    await recordReferenceChanges(service, 2, T0 + 2 * HOUR, "late");
    expect(summarize((await feed(ada, "?limit=1")).data)).toStrictEqual(["r10"]);
    expect(summarize((await feed(ada, "?order=asc&type=booking.changed")).data).at(-1)).toBe("r11");
    const { data } = await feed(ada, "?limit=1");
    expect((await feed(ada, `?after=${data[0]?.id}`)).data).toStrictEqual([]);
    service.letGo();
    expect(summarize((await feed(ada, `?after=${data[0]?.id}`)).data)).toStrictEqual(["late"]);
    for (const name of PROJECTION_NAMES) if (name !== "bookings") service.holdBack(name);
    await recordReferenceChanges(service, 2, T0 + 2 * HOUR, "later");
    expect(summarize((await feed(ada, "?limit=2")).data)).toStrictEqual(["later", "late"]);
    service.letGo();
  });
});

describe("an event", () => {
  test("is fetched as it is listed, by its account alone", async () => {
    for (const event of (await feed(ada, "?limit=100")).data) {
      const answer = await ada(`/v1/events/${event.id}`);
      expect([answer.status, answer.text]).toStrictEqual([200, JSON.stringify(event)]);
      const foreign = await eve(`/v1/events/${event.id}`);
      expect([foreign.status, foreign.body]).toStrictEqual([404, errorOf(404, "no event with this id", "Not Found")]);
    }
  });

  test("that was made to try an endpoint is there for its account until its time is over, and never listed", async () => {
    const event = { id: "evt_tried", type: "payment.failed" };
    const expiresAt = service.clock.now() + 30 * DAY;
    await service.state.put("test-events", "acc_1/evt_tried", JSON.stringify(event), { expiresAt });
    expect((await ada("/v1/events/evt_tried")).body).toStrictEqual(event);
    expect((await eve("/v1/events/evt_tried")).status).toBe(404);
    expect((await feed(ada, "?type=payment.failed")).data).toStrictEqual([]);
    service.clock.set(expiresAt - 1);
    expect((await ada("/v1/events/evt_tried")).status).toBe(200);
    service.clock.set(expiresAt);
    expect((await ada("/v1/events/evt_tried")).status).toBe(404);
  });
});

describe("events of instances whose clocks differ", () => {
  test("are found by their own time, in the order of the log", async () => {
    const pia = await service.openAccount("acc_3");
    const from = T0 + 10 * DAY;
    await recordBooking(service, 31, from, "acc_3");
    await recordBooking(service, 32, from, "acc_3");
    // Two streams, each in the order of its own clock: one 50 seconds ahead of the other.
    for (let second = 0; second < 300; second += 10) {
      await recordReferenceChanges(service, 31, from + second * SECOND, `behind${second}`);
      await recordReferenceChanges(service, 32, from + (second + 50) * SECOND, `ahead${second + 50}`);
    }
    const all = (await readAllPages(pia, "/v1/events?order=asc&limit=100")).flat() as EventBody[];
    for (const second of [0, 45, 100, 149, 200, 345, 400]) {
      const moment = from + second * SECOND;
      const [later, earlier] = [
        { createdAfter: new Date(moment).toISOString() },
        { createdBefore: new Date(moment).toISOString() },
      ];
      const times = (events: readonly EventBody[]) => events.map(({ createdAt }) => Date.parse(createdAt));
      const expectedLater = summarize(all.filter((event) => (times([event])[0] as number) > moment));
      const expectedEarlier = summarize(all.filter((event) => (times([event])[0] as number) < moment));
      expect(await every(pia, query({ ...later, order: "asc", limit: "7" }))).toStrictEqual(expectedLater);
      expect(await every(pia, query({ ...earlier, limit: "7" }))).toStrictEqual(expectedEarlier.toReversed());
    }
  });
});

describe("waiting", () => {
  /** The time-outs of the tests are far away from those that are asked for here. */
  const LONGEST = "30";
  let last = "";

  async function newest(): Promise<string> {
    return (await feed(ada, "?limit=1")).data[0]?.id ?? "";
  }

  test("is over when an event becomes visible, and that is the answer", async () => {
    last = await newest();
    const started = performance.now();
    const waiting = feed(ada, query({ after: last, wait: LONGEST }));
    await someoneWaits(1);
    await recordReferenceChanges(service, 1, T0 + 3 * DAY, "awaited");
    const { data } = await waiting;
    expect(summarize(data)).toStrictEqual(["awaited"]);
    expect(performance.now() - started).toBeLessThan(Number(LONGEST) * SECOND);
    expect(service.tail.waiting).toBe(0);
  });

  test("does not begin where there is something already", async () => {
    expect(summarize((await feed(ada, query({ after: last, wait: LONGEST }))).data)).toStrictEqual(["awaited"]);
    expect((await feed(ada, query({ wait: LONGEST, limit: "1" }))).data.length).toBe(1);
    last = await newest();
  });

  test("ends with an empty page when its time is up", async () => {
    for (const wait of ["0", "1"]) {
      expect(await feed(ada, query({ after: last, wait }))).toStrictEqual({
        data: [],
        page: { nextCursor: null, hasMore: false },
      });
    }
  });

  test("goes on while only others, or other types, have something new", async () => {
    const waiting = feed(ada, query({ after: last, wait: LONGEST, type: "booking.confirmed" }));
    await someoneWaits(1);
    await recordReferenceChanges(service, 9, T0 + 3 * DAY, "eve's");
    await recordReferenceChanges(service, 1, T0 + 3 * DAY, "unasked");
    expect(service.tail.waiting).toBe(1);
    await service.record(`booking-${idsOf(2).booking}`, ...paid(idsOf(2), T0 + 3 * DAY));
    expect((await waiting).data.map(({ type }) => type)).toStrictEqual(["booking.confirmed"]);
    last = await newest();
  });

  test("hundreds are woken by one event, each with its own list", async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      feed(
        index % 2 === 0 ? ada : eve,
        query(index % 2 === 0 ? { after: last, wait: LONGEST } : { createdAfter: at(4 * 86_400), wait: LONGEST }),
      ),
    );
    await someoneWaits(300);
    await recordReferenceChanges(service, 1, T0 + 5 * DAY, "for-many");
    const answers = await Promise.all(many.filter((_, index) => index % 2 === 0));
    expect(answers.every(({ data }) => summarize(data).join() === "for-many")).toBe(true);
    expect(service.tail.waiting).toBe(150);
    await recordReferenceChanges(service, 9, T0 + 5 * DAY, "for-eve");
    for (const { data } of await Promise.all(many.filter((_, index) => index % 2 === 1))) {
      expect(summarize(data)).toStrictEqual(["for-eve"]);
    }
    expect(service.tail.waiting).toBe(0);
    last = await newest();
  });

  test("ends with the client's going away", async () => {
    const leaving = new AbortController();
    const { apiKey } = await service.openAccount("acc_4");
    const url = `${service.baseUrl}/v1/events?wait=${LONGEST}`;
    const asked = fetch(url, { headers: { "x-api-key": apiKey }, signal: leaving.signal });
    await someoneWaits(1);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    await someoneWaits(0);
  });

  test("nobody waits any more once the service stops", async () => {
    const waiting = feed(ada, query({ after: last, wait: LONGEST }));
    await someoneWaits(1);
    service.tail.stop();
    expect((await waiting).data).toStrictEqual([]);
    expect((await feed(ada, query({ after: last, wait: LONGEST }))).data).toStrictEqual([]);
    expect(service.tail.waiting).toBe(0);
  });
});

/** Resolves when so many requests wait. */
async function someoneWaits(count: number): Promise<void> {
  while (service.tail.waiting !== count) await new Promise((resolve) => setTimeout(resolve, 5));
}
