import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, SeatMapBody } from "@travel-booking/api-contract";
import { ELECTIONS } from "../../support/distributed/elections.ts";
import { until } from "../../support/until.ts";
import { BEHIND_PROXY } from "../kit/behind-proxy.ts";
import { ADA, ALAN, Client, expectStatus } from "../kit/client.ts";
import { openWorld, readAllEntries, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({
    // One account fills flights.
    env: { QUOTA_UNPAID_SEATS_PERCENT: "100" },
    flights: [
      { id: "F", departsIn: 60, rows: [10, 99] },
      { id: "ONE", departsIn: 60 },
      { id: "SMALL", departsIn: 60, rows: [10, 11] },
    ],
  });
  ({ alice } = world);
});
afterAll(() => world.discard());

/** Behind the proxy each of them costs many times as much, and a fifth shows the same. */
const MANY = BEHIND_PROXY ? 100 : 500;

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function statusesOf(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("hundreds of clients at once", () => {
  test("hold one seat: one does", async () => {
    const clients = await Promise.all(
      times(20, async () => new Client(alice.baseUrl, await world.service.newApiKey())),
    );
    const answers = await Promise.all(times(MANY, (at) => (clients[at % 20] as Client).hold("ONE", ["12A"])));
    expect(statusesOf(answers)).toStrictEqual({ 201: 1, 409: MANY - 1 });
  });

  test("book one seat: one does", async () => {
    const answers = await Promise.all(times(MANY, () => alice.book("ONE", { seats: ["12B"] })));
    expect(statusesOf(answers)).toStrictEqual({ 201: 1, 409: MANY - 1 });
  });

  test("hold or book what there is: never more than there is", async () => {
    const capacity = (await alice.seatsLeft("SMALL")) ?? 0;
    const answers = await Promise.all(
      times(MANY * 0.6, (at) =>
        at % 3 === 0
          ? alice.hold("SMALL", [`${10 + (at % 2)}${"ABCDEF"[at % 6]}`])
          : alice.book("SMALL", { passengers: at % 2 === 0 ? [ADA] : [ADA, ALAN] }),
      ),
    );
    const places = answers.map((answer, at) => {
      if (answer.status !== 201) return 0;
      return at % 3 !== 0 && at % 2 === 1 ? 2 : 1;
    });
    expect(Object.keys(statusesOf(answers))).toStrictEqual(["201", "409"]);
    const taken = places.reduce<number>((sum, count) => sum + count, 0);
    expect(await alice.seatsLeft("SMALL")).toBe(capacity - taken);
    expect(taken).toBeLessThanOrEqual(capacity);
    expect(capacity - taken).toBeLessThanOrEqual(1);
  });
});

describe("pay against cancel", () => {
  test("never a charge kept for a booking that is cancelled", async () => {
    await Promise.all(
      times(60, async (round) => {
        const { id } = await alice.newBooking("F");
        const cancelledFirst = round % 2 === 0 ? alice.cancel(id) : undefined;
        const [paid] = await Promise.all([alice.pay(id), cancelledFirst ?? alice.cancel(id)]);
        const booking = await alice.booking(id);
        expect(booking.status).toBe("cancelled");
        if (paid.status === 409) return;
        const paymentId = expectStatus(201, paid).id;
        const isRefunded = async () =>
          (await alice.payment(paymentId)).refunds.every(({ status }) => status !== "pending");
        // An election may leave a refund to what is due: it is sent soon after.
        if (ELECTIONS) await until(isRefunded);
        const payment = await alice.payment(paymentId);
        expect(payment.status).toBe("succeeded");
        expect(payment.amountRefunded).toBe(payment.amount);
        expect(payment.refunds.map(({ reason, status }) => [reason, status])).toStrictEqual([
          ["booking_cancelled", "succeeded"],
        ]);
      }),
    );
  });

  test("with a refund asked for meanwhile, each cent goes back once", async () => {
    await Promise.all(
      times(20, async () => {
        const { booking, payment } = await alice.paidBooking("F");
        const refund = () => alice.post(`/v1/payments/${payment.id}/refunds`, { amount: 100_000 });
        await Promise.all([refund(), alice.cancel(booking.id), refund()]);
        const shown = await alice.payment(payment.id);
        expect(shown.amountRefunded).toBe(payment.amount);
        expect(shown.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(payment.amount);
      }),
    );
  });
});

test("two payments at once: one is charged", async () => {
  await Promise.all(
    times(40, async () => {
      const { id } = await alice.newBooking("F");
      const answers = await Promise.all([
        alice.pay(id),
        alice.pay(id, { type: "wallet", walletType: "paypal", token: "tok_amex" }),
      ]);
      expect(statusesOf(answers)).toStrictEqual({ 201: 1, 409: 1 });
      expect((await alice.booking(id)).status).toBe("confirmed");
    }),
  );
});

test("a card against a bank transfer at once: the card pays", async () => {
  await Promise.all(
    times(20, async () => {
      const { id } = await alice.newBooking("F");
      const [card, transfer] = await Promise.all([alice.pay(id), alice.pay(id, { type: "bank_transfer" })]);
      expect(expectStatus(201, card).status).toBe("succeeded");
      if (transfer.status === 409) return;
      const shown = await alice.payment(expectStatus(201, transfer).id);
      expect([shown.status, shown.failureCode]).toStrictEqual(["failed", "superseded"]);
    }),
  );
});

test("many refunds at once never exceed what was paid", async () => {
  const { payment } = await alice.paidBooking("F");
  const answers = await Promise.all(
    times(30, () => alice.post(`/v1/payments/${payment.id}/refunds`, { amount: 10_000 })),
  );
  expect(statusesOf(answers)).toStrictEqual({ 201: 12, 422: 18 });
  expect((await alice.payment(payment.id)).amountRefunded).toBe(120_000);
});

test("change of seats against holds: a seat has one owner", async () => {
  await Promise.all(
    times(30, async (round) => {
      const wanted = `${20 + round}A`;
      const { id } = await alice.newBooking("F", { seats: [`${20 + round}B`] });
      const [changed, held] = await Promise.all([
        alice.patch<BookingBody>(`/v1/bookings/${id}`, { seats: [wanted] }),
        world.bob.hold("F", [wanted]),
      ]);
      expect([changed.status, held.status].sort()).toStrictEqual(changed.status === 200 ? [200, 409] : [201, 409]);
      const { seats } = await alice.booking(id);
      expect(seats).toStrictEqual(changed.status === 200 ? [wanted] : [`${20 + round}B`]);
    }),
  );
});

test("changes of one booking at once: it has the seats it says, and no others", async () => {
  const { id } = await alice.newBooking("F", { seats: ["60A"] });
  const before = await alice.seatsLeft("F");
  const answers = await Promise.all(
    times(12, (at) => alice.patch(`/v1/bookings/${id}`, { seats: [`${61 + at}B`], reference: String(at) })),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  const booking = await alice.booking(id);
  const map = expectStatus(200, await alice.get<SeatMapBody>("/v1/flights/F/seat-map"));
  const booked = map.cabins
    .flatMap(({ rows }) => rows.filter(({ number }) => number >= 60 && number <= 72))
    .flatMap(({ seats }) => seats.filter(({ status }) => status === "booked").map(({ number }) => number));
  expect(booked).toStrictEqual(booking.seats);
  expect(await alice.seatsLeft("F")).toBe(before);
});

test("change against cancel: a cancelled booking has no seat on the flight", async () => {
  const before = await alice.seatsLeft("ONE");
  await Promise.all(
    times(20, async (round) => {
      const row = 13 + (round % 5);
      const { id } = await alice.newBooking("ONE");
      await Promise.all([
        alice.patch(`/v1/bookings/${id}`, { seats: [`${row}${"CDEF"[round % 4]}`] }),
        alice.cancel(id),
      ]);
      expect((await alice.booking(id)).status).toBe("cancelled");
    }),
  );
  expect(await alice.seatsLeft("ONE")).toBe(before);
});

test("each client reads what it has just written, whoever else writes", async () => {
  await Promise.all(
    times(8, async () => {
      const client = new Client(alice.baseUrl, await world.service.newApiKey());
      for (let round = 0; round < 6; round += 1) {
        const booking = await client.newBooking("F");
        expect(await client.booking(booking.id)).toStrictEqual(booking);
        const [listed] = await readAllEntries<BookingBody>(client, "/v1/bookings", 100);
        expect(listed).toStrictEqual(booking);
        const changed = expectStatus(
          200,
          await client.patch(`/v1/bookings/${booking.id}`, { reference: String(round) }),
        );
        expect(await client.booking(booking.id)).toStrictEqual(changed);
      }
    }),
  );
});
