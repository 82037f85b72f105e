import { beforeEach, describe, expect, test } from "@jest/globals";
import { type CabinPlan, type FlightPlan, RECOVERY_GRACE } from "@travel-booking/domain";
import { CommandHandler } from "../../src/index.ts";
import { adjustPoints, redeem } from "../loyalty/loyalty-fixtures.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { ADA, BOB, economy, FLIGHT, party, plan, T0 } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

/** 60 seats in economy, 10A to 19F: an account keeps 12 without paying. Business 1A to 9F: 10. */
const cabins: readonly CabinPlan[] = [
  { ...economy, layout: "ABC DEF", rows: [10, 19], blocked: [], exitRows: [], surcharges: [] },
  { ...economy, cabin: "business", layout: "ABC DEF", rows: [1, 9], blocked: [], exitRows: [], surcharges: [] },
];
const large: FlightPlan = { ...plan, cabins };
const MOST = 12;
const row = (number: number) => [..."ABCDEF"].map((column) => `${number}${column}`);
const REFUSED = {
  status: 409,
  body: {
    statusCode: 409,
    message: `quota reached: an account may keep ${MOST} seats of economy on this flight held or booked without paying; pay, cancel or release some first`,
    error: "Conflict",
  },
};

let disk: ExternalSystems;
let service: Service;
beforeEach(async () => {
  disk = new ExternalSystems();
  service = new Service(disk);
  await service.schedule(large);
  await disk.newEvents();
});

/** One of several services on a store they share. */
function sharing(systems: ExternalSystems): Service {
  const { store, clock, ids } = systems;
  const shared = {
    singleWriter: false,
    append: store.append.bind(store),
    readStream: store.readStream.bind(store),
    subscribe: store.subscribe.bind(store),
    head: store.head.bind(store),
    eventIdAt: store.eventIdAt.bind(store),
    close: store.close.bind(store),
  };
  const one = new Service(systems);
  const handler = new CommandHandler({ store: shared, clock, ids, realTime: { now: () => 0, pause: async () => {} } });
  Object.assign(one.services, { handler });
  return one;
}

/** The seats that an account has, in holds and bookings, as the log tells. */
async function keptBy(accountId: string): Promise<number> {
  const events = (await disk.log()).map(
    ({ data }) => data as { accountId?: string; seats?: string[]; holdId?: string },
  );
  const made = events.filter((data) => data.accountId === accountId && data.seats !== undefined);
  return made.reduce((sum, { seats }) => sum + (seats?.length ?? 0), 0);
}

describe.each<[string, () => readonly Service[]]>([
  ["one service", () => [service]],
  ["three services on a store they share", () => [sharing(disk), sharing(disk), sharing(disk)]],
])("%s", (_, services) => {
  test("two accounts at once: each gets its share of the cabin, and no more", async () => {
    const instances = services();
    const asked = [ADA, BOB].flatMap((accountId, one) =>
      Array.from({ length: 10 }, (_, index) => ({ accountId, seats: row(10 + index).slice(3 * one, 3 * one + 3) })),
    );
    const answers = await Promise.all(
      asked.map(({ accountId, seats }, index) => instances[index % instances.length]?.hold(seats, { accountId })),
    );
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(8);
    for (const answer of answers) if (answer?.status !== 201) expect(answer).toStrictEqual(REFUSED);
    expect([await keptBy(ADA), await keptBy(BOB)]).toStrictEqual([MOST, MOST]);
  });

  test("bookings in pairs, holds and upgrades race: paying makes room again, at once and for itself alone", async () => {
    const instances = services();
    const [first] = instances;
    const bookings = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        instances[index % instances.length]?.book({ passengers: party(3), seats: row(10 + index).slice(0, 3) }),
      ),
    );
    const made = bookings.flatMap((answer) => (answer?.status === 201 ? [answer.body.id] : []));
    expect(made).toHaveLength(4);
    expect(await first?.hold(["19A"])).toStrictEqual(REFUSED);
    for (const id of made.slice(0, 2)) expect((await first?.pay(id))?.status).toBe(201);
    const again = await Promise.all(
      [18, 19].map((number, index) => instances[index % instances.length]?.hold(row(number).slice(3))),
    );
    expect(again.map((answer) => answer?.status)).toStrictEqual([201, 201]);
    expect(await first?.hold(["17F"])).toStrictEqual(REFUSED);
    const known = (await disk.log()).flatMap(({ type, data }) =>
      type === "SeatsPaid" ? (data as { bookingIds: string[] }).bookingIds : [],
    );
    expect(known.sort()).toStrictEqual(made.slice(0, 2).sort());
  });
});

/** All seats of economy, in seven paid bookings; their payments. */
async function wholeCabin(of: Service) {
  const payments = [];
  for (const passengers of [9, 9, 9, 9, 9, 9, 6]) {
    const { body: booking } = await of.book({ passengers: party(passengers) });
    const { body: payment } = await of.pay(booking.id);
    payments.push(payment);
  }
  return payments;
}

const REFUND_REFUSED = {
  ...REFUSED,
  body: {
    ...REFUSED.body,
    message: `${REFUSED.body.message}; once it is cancelled, this booking can be refunded in full`,
  },
};

describe("refunds that leave less than half", () => {
  test.each<[string, () => readonly Service[]]>([
    ["one service", () => [service]],
    ["three services on a store they share", () => [sharing(disk), sharing(disk), sharing(disk)]],
  ])("all at once, %s: as many as fit into the quota, and the others give nothing back", async (_, services) => {
    const instances = services();
    const payments = await wholeCabin(service);
    const answers = await Promise.all(payments.map(({ id }, index) => instances[index % instances.length]?.refund(id)));
    const accepted = answers.filter((answer) => answer?.status === 201);
    expect(accepted).toHaveLength(1);
    for (const answer of answers) if (answer?.status !== 201) expect(answer).toStrictEqual(REFUND_REFUSED);
    const refunds = (await disk.ledger()).flatMap((entry) => (entry.kind === "charged" ? entry.refunds : []));
    expect(refunds.map(({ refundId }) => refundId)).toStrictEqual(accepted.map((answer) => answer?.body.id));
  });

  test("in parts at once: those that leave half are made, the one that crosses it is not", async () => {
    const [kept, refunded] = await wholeCabin(service);
    await service.refund(refunded?.id ?? "");
    const parts = () => service.refund(kept?.id ?? "", { amount: 250_000 });
    const answers = await Promise.all([parts(), parts(), parts(), parts()]);
    expect(answers.map(({ status }) => status)).toStrictEqual([201, 409, 409, 409]);
    expect(answers[1]).toStrictEqual(REFUND_REFUSED);
  });

  test("a refund that was made is answered again where there is no room any more; a cancelled booking needs none", async () => {
    const [first, second] = await wholeCabin(service);
    const repeatedCommandId = disk.ids.next();
    const refund = (id = "") => service.refund(id, {}, { repeatedCommandId });
    const made = await refund(first?.id);
    expect(made.status).toBe(201);
    expect(await service.hold(row(10))).toMatchObject({ status: 409 });
    expect(await refund(first?.id)).toStrictEqual(made);
    expect((await service.refund(second?.id ?? "")).status).toBe(409);
    expect((await service.cancel(second?.bookingId ?? "")).status).toBe(200);
    const [, entry] = await disk.ledger();
    expect(entry?.kind === "charged" && entry.refunds.map(({ amount }) => amount)).toStrictEqual([900_000]);
  });
});

test("a process that dies once a refund is counted: unless it is asked for again the booking is paid as before, for good", async () => {
  const { body: booking } = await service.book({ passengers: party(9) });
  const { body: payment } = await service.pay(booking.id);
  const repeatedCommandId = disk.ids.next();
  const dying = new Service(disk, "refund:recounted");
  await expect(dying.refund(payment.id, {}, { repeatedCommandId })).rejects.toThrow(ProcessCrashed);
  // One that leaves half has nothing to do with it.
  expect((await service.refund(payment.id, { amount: 1 })).status).toBe(201);
  expect(await service.hold(row(10))).toStrictEqual(REFUSED);
  await service.runDueTasksUntil(T0 + RECOVERY_GRACE);
  expect((await disk.openDueTasks()).map(({ kind }) => kind)).toStrictEqual(["assign_seats", "earn_points"]);
  expect((await service.hold(row(10))).status).toBe(201);
  const late = await service.refund(payment.id, {}, { repeatedCommandId });
  expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining("given up") } });
});

describe("paying", () => {
  test("and refunding in full gives no room: as many as can be kept unpaid, and no more", async () => {
    for (const expected of [201, 409, 409]) {
      const { status, body: booking } = await service.book({ passengers: party(9) });
      expect(status).toBe(expected);
      if (status !== 201) continue;
      const { body: payment } = await service.pay(booking.id);
      // While it is paid there is room, and the flight knows it.
      const { body: hold } = await service.hold(row(10));
      await service.release(hold.id);
      expect((await service.refund(payment.id)).status).toBe(201);
    }
    expect(await service.hold(row(10))).toStrictEqual(REFUSED);
    expect((await service.hold(row(10).slice(0, 3))).status).toBe(201);
  });

  test("a refund of half, and of a booking that is cancelled then, leaves room; a cent more does not", async () => {
    const { body: booking } = await service.book({ passengers: party(9) });
    const { body: payment } = await service.pay(booking.id);
    await service.refund(payment.id, { amount: 450_000 });
    const { body: hold } = await service.hold(row(10));
    expect(hold.seats).toStrictEqual(row(10));
    expect(await service.refund(payment.id, { amount: 1 })).toStrictEqual(REFUND_REFUSED);
    await service.release(hold.id);
    const { body: crossing } = await service.refund(payment.id, { amount: 1 });
    expect(await service.hold(row(11))).toStrictEqual(REFUSED);
    const { body: rest } = await service.refund(payment.id);
    const told = (await disk.log()).filter(({ type }) => type === "SeatsRefunded");
    expect(told.map(({ data }) => data)).toStrictEqual(
      [crossing, rest].map(({ id }) => ({ bookingId: booking.id, refundId: id })),
    );
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).toStrictEqual(["assign_seats", "earn_points"]);
    await service.cancel(booking.id);
    expect((await service.hold(row(11))).status).toBe(201);
  });

  test("the streams of bookings are asked once in a while, not for every booking", async () => {
    const { handler } = service.services;
    const readState = handler.readState.bind(handler);
    let asked = 0;
    let isPaying = false;
    handler.readState = (read) => {
      if (read.stream.startsWith("booking-") && !isPaying) asked += 1;
      return readState(read);
    };
    await disk.newEvents();
    for (let n = 0; n < 58; n++) {
      const { status, body } = await service.book({ passengers: party(1) });
      expect(status).toBe(201);
      isPaying = true;
      await service.pay(body.id);
      isPaying = false;
    }
    expect(asked).toBe(48);
    const paid = (await disk.newEvents()).filter(({ type }) => type === "SeatsPaid");
    expect(paid.map(({ data }) => (data as { bookingIds: string[] }).bookingIds.length)).toStrictEqual([
      12, 12, 12, 12,
    ]);
  });
});

test("a process that dies once it has recorded what is paid: the same request again is carried out, once", async () => {
  const { body: booking } = await service.book({ passengers: party(9) });
  await service.pay(booking.id);
  await disk.newEvents();
  const repeatedCommandId = disk.ids.next();
  const dying = new Service(disk, "unpaid-seats:recorded");
  await expect(dying.hold(row(10), { repeatedCommandId })).rejects.toThrow(ProcessCrashed);
  const next = new Service(disk);
  const answer = await next.hold(row(10), { repeatedCommandId });
  expect(answer.status).toBe(201);
  expect(await next.hold(row(10), { repeatedCommandId })).toStrictEqual(answer);
  expect(await disk.newEvents()).toStrictEqual([
    { stream: `flight-${FLIGHT}`, type: "SeatsPaid", data: { bookingIds: [booking.id], revocable: true } },
    { stream: `flight-${FLIGHT}`, type: "SeatsHeld", data: expect.objectContaining({ seats: row(10) }) },
  ]);
});

test("an upgrade that would take the account over its share of the higher cabin is refused, and leaves no trace", async () => {
  await adjustPoints(service, 80_000);
  const { body: business } = await service.book({ cabin: "business", passengers: party(9) });
  const { body: booking } = await service.book({ passengers: party(2) });
  const upgrade = { reward: "cabin_upgrade", bookingId: booking.id };
  await disk.newEvents();
  const refused = await redeem(service, upgrade);
  expect(refused.status).toBe(409);
  expect(await disk.newEvents()).toStrictEqual([]);
  expect(refused.body).toMatchObject({ message: expect.stringContaining("10 seats of business") });
  await service.pay(business.id);
  expect((await redeem(service, upgrade)).status).toBe(201);
});
