import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody } from "@travel-booking/api-contract";
import { memberNumberOf } from "@travel-booking/domain";
import { type Client, expectStatus } from "./kit/client.ts";
import { accountOf, givePoints, redeem, transactionsOf } from "./kit/loyalty.ts";
import { expectRefused } from "./kit/problems.ts";
import { openWorld, type World } from "./kit/world.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "FAR", departsIn: 1_500 }] });
  ({ alice } = world);
});
afterAll(() => world.discard());

const newcomer = () => world.withScopes(["bookings:write", "bookings:read", "payments:write", "loyalty:read"]);

describe("an account that never earned", () => {
  test("has zeroes, a member number and the day it was opened", async () => {
    const client = await newcomer();
    const today = new Date(await world.now()).toISOString().slice(0, 10);
    const account = await accountOf(client);
    expect(account).toStrictEqual({
      id: account.id,
      memberNumber: account.memberNumber,
      memberSince: today,
      tier: "voyager",
      pointsBalance: 0,
      pointsPending: 0,
      lifetimePoints: 0,
      pointsExpireOn: null,
      tierProgress: { nextTier: "pioneer", pointsToNextTier: 50_000, percent: 0 },
    });
    expect((await accountOf(alice)).memberNumber).toBe(memberNumberOf(world.accountOf.alice));
    expect(account.memberNumber).not.toBe(memberNumberOf(world.accountOf.alice));
    expect(await transactionsOf(client)).toStrictEqual([]);
  });
});

describe("points", () => {
  test("are pending from payment to departure, then earned, and gone after two years at month's end", async () => {
    await world.addFlights({ id: "EARN", departsIn: 3 });
    const client = await newcomer();
    const { booking, payment } = await client.paidBooking("EARN");
    expect(await accountOf(client)).toMatchObject({ pointsPending: 1_299, pointsBalance: 0, lifetimePoints: 0 });
    expectStatus(201, await client.post(`/v1/payments/${payment.id}/refunds`, { amount: 10_001 }));
    expect((await accountOf(client)).pointsPending).toBe(1_198);
    const departsAt = (await world.now()) + 3 * DAY * 1_000;
    await world.advance(3 * DAY);
    const expiresOn = endOfMonthTwoYearsAfter(departsAt);
    expect(await accountOf(client)).toMatchObject({
      pointsPending: 0,
      pointsBalance: 1_198,
      lifetimePoints: 1_198,
      pointsExpireOn: expiresOn,
      tierProgress: { nextTier: "pioneer", pointsToNextTier: 48_802, percent: 2 },
    });
    const [earned] = await transactionsOf(client);
    expect(earned).toMatchObject({ type: "earn", points: 1_198, balanceAfter: 1_198, bookingId: booking.id });

    expectStatus(201, await client.post(`/v1/payments/${payment.id}/refunds`, { amount: 19_899 }));
    expect(await accountOf(client)).toMatchObject({ pointsBalance: 1_000, lifetimePoints: 1_000 });
    const [taken] = await transactionsOf(client, "adjust");
    expect(taken).toMatchObject({ points: -198, balanceAfter: 1_000, bookingId: booking.id });
    // A cent less than a whole dollar is none.
    expectStatus(201, await client.post(`/v1/payments/${payment.id}/refunds`, { amount: 1 }));
    expect((await accountOf(client)).pointsBalance).toBe(999);

    const lastMinute = Date.parse(`${expiresOn}T23:59:00Z`);
    await world.advance(Math.floor((lastMinute - (await world.now())) / 1_000));
    expect((await accountOf(client)).pointsBalance).toBe(999);
    await world.advance(120);
    expect(await accountOf(client)).toMatchObject({
      pointsBalance: 0,
      lifetimePoints: 999,
      pointsExpireOn: null,
    });
    expect(await transactionsOf(client, "expire")).toMatchObject([{ points: -999, balanceAfter: 0, bookingId: null }]);
    expect((await transactionsOf(client)).map(({ type }) => type)).toStrictEqual([
      "expire",
      "adjust",
      "adjust",
      "earn",
    ]);
  });

  test("are corrected by the operator, who leaves the lifetime points alone", async () => {
    const { accountId } = await world.service.newApiKey();
    const client = await world.withScopes(["loyalty:read"], accountId);
    await givePoints(world, accountId, 700);
    await givePoints(world, accountId, -200);
    expect(await accountOf(client)).toMatchObject({ pointsBalance: 500, lifetimePoints: 0 });
    expect(await transactionsOf(client)).toMatchObject([
      { type: "adjust", points: -200, balanceAfter: 500, description: "a gift", bookingId: null },
      { type: "adjust", points: 700, balanceAfter: 700 },
    ]);
    const adjust = (body: object) => world.service.operator("POST", "/loyalty/adjustments", body);
    expect((await adjust({ accountId, points: -501, reason: "too many" })).status).toBe(409);
    expect((await adjust({ accountId: "acc_none", points: 1, reason: "nobody" })).status).toBe(404);
    expect((await adjust({ accountId, points: 0, reason: "nothing" })).status).toBe(400);
  });
});

describe("redeeming", () => {
  async function member(points: number): Promise<Client> {
    const { accountId } = await world.service.newApiKey();
    await givePoints(world, accountId, points);
    return world.withScopes(
      [
        "bookings:write",
        "bookings:read",
        "payments:write",
        "flights:read",
        "events:read",
        "loyalty:read",
        "loyalty:write",
      ],
      accountId,
    );
  }
  const historyOf = async (client: Client, id: string) =>
    expectStatus(
      200,
      await client.get<{ data: { type: string; changes: Record<string, unknown> }[] }>(`/v1/bookings/${id}/history`),
    ).data;

  test("is refused in the order 400, 422, 404, 409", async () => {
    const client = await member(4_999);
    const { id } = await client.newBooking("FAR");
    expect((await redeem(client, { reward: "gold" })).status).toBe(400);
    expect((await redeem(client, { reward: "lounge_access", extra: 1 })).status).toBe(400);
    expectRefused(await redeem(client, { reward: "cabin_upgrade" }), 422, "bookingId");
    expectRefused(await redeem(client, { reward: "extra_baggage" }), 422, "bookingId");
    expectRefused(await redeem(client, { reward: "lounge_access", bookingId: "bkg_none" }), 404, "booking");
    const { booking } = await alice.paidBooking("FAR");
    expectRefused(await redeem(client, { reward: "extra_baggage", bookingId: booking.id }), 404, "booking");
    expectRefused(await redeem(client, { reward: "extra_baggage", bookingId: id }), 409, "not enough points");
    expectRefused(await redeem(client, { reward: "lounge_access" }), 409, "not enough points");
    expect((await accountOf(client)).pointsBalance).toBe(4_999);
    expect((await historyOf(client, id)).length).toBe(1);
  });

  test("baggage and lounge access are in the booking's history", async () => {
    const client = await member(20_000);
    const { id } = await client.newBooking("FAR");
    const baggage = expectStatus(201, await redeem(client, { reward: "extra_baggage", bookingId: id }));
    expect(baggage).toStrictEqual({
      id: baggage.id,
      reward: "extra_baggage",
      bookingId: id,
      points: 8_000,
      status: "completed",
      transactionId: baggage.transactionId,
      createdAt: baggage.createdAt,
    });
    expect((await transactionsOf(client, "redeem"))[0]).toMatchObject({
      id: baggage.transactionId,
      points: -8_000,
      balanceAfter: 12_000,
      bookingId: id,
    });
    const lounge = expectStatus(201, await redeem(client, { reward: "lounge_access", bookingId: id }));
    expect((await historyOf(client, id)).slice(1)).toMatchObject([
      { type: "reward.added", changes: { [`rewards.${baggage.id}`]: { reward: { from: null, to: "extra_baggage" } } } },
      { type: "reward.added", changes: { [`rewards.${lounge.id}`]: { reward: { from: null, to: "lounge_access" } } } },
    ]);
    const alone = expectStatus(201, await redeem(client, { reward: "lounge_access" }));
    expect([alone.bookingId, alone.points]).toStrictEqual([null, 5_000]);
    expect((await accountOf(client)).pointsBalance).toBe(2_000);
    expectStatus(200, await client.cancel(id));
    expectRefused(await redeem(client, { reward: "lounge_access", bookingId: id }), 409, "cancelled");
    expect((await accountOf(client)).pointsBalance).toBe(2_000);
  });

  test("credit lowers a pending booking to zero at most, and the next booking by the rest", async () => {
    await world.addFlights({ id: "CHEAP", departsIn: 40, amount: 6_000 });
    const client = await member(60_000);
    const { id } = await client.newBooking("CHEAP");
    expectStatus(201, await redeem(client, { reward: "booking_credit", bookingId: id }));
    expect(await client.booking(id)).toMatchObject({ totalAmount: 0, status: "confirmed" });
    const told = expectStatus(
      200,
      await client.get<{ data: { type: string; data: { previousAttributes: object | null } }[] }>(
        `/v1/events?bookingId=${id}&order=asc`,
      ),
    ).data;
    expect(told.map(({ type, data }) => [type, data.previousAttributes])).toStrictEqual([
      ["booking.changed", { totalAmount: 6_000 }],
      ["booking.confirmed", null],
    ]);
    // 4,000 cents are in the bank now: all of the next, and the one after it is not lowered.
    const next = await client.newBooking("CHEAP");
    expect([next.totalAmount, next.status]).toStrictEqual([2_000, "pending"]);
    expect((await client.newBooking("CHEAP")).totalAmount).toBe(6_000);
    // It is back when the booking is cancelled in time.
    expectStatus(200, await client.cancel(next.id));
    expect((await client.newBooking("CHEAP")).totalAmount).toBe(2_000);
    expectRefused(await redeem(client, { reward: "booking_credit", bookingId: id }), 409, "paid");
    expectRefused(await redeem(client, { reward: "booking_credit", bookingId: next.id }), 409, "cancelled");
    expect((await accountOf(client)).pointsBalance).toBe(50_000);
  });

  test("an upgrade moves the booking one cabin up and gives its seats up", async () => {
    await world.addFlights({ id: "UP", departsIn: 40 });
    const client = await member(200_000);
    const { booking } = await client.paidBooking("UP", { seats: ["12B"] });
    expectStatus(201, await redeem(client, { reward: "cabin_upgrade", bookingId: booking.id }));
    const upgraded: BookingBody = { ...booking, cabin: "business", seats: [] };
    expect(await client.booking(booking.id)).toStrictEqual(upgraded);
    expect([await client.seatsLeft("UP"), await client.seatsLeft("UP", "business")]).toStrictEqual([59, 3]);
    expectStatus(201, await client.hold("UP", ["12B"]));
    const changed = expectStatus(
      200,
      await client.get<{ data: { data: { object: BookingBody; previousAttributes: object } }[] }>(
        `/v1/events?bookingId=${booking.id}&type=booking.changed`,
      ),
    ).data;
    expect(changed.map(({ data }) => data)).toStrictEqual([
      { object: upgraded, previousAttributes: { cabin: "economy", seats: ["12B"] } },
    ]);
    expectRefused(await client.patch(`/v1/bookings/${booking.id}`, { seats: ["13B"] }), 422, "cabin");
    expect(
      expectStatus(200, await client.patch<BookingBody>(`/v1/bookings/${booking.id}`, { seats: ["1A"] })).seats,
    ).toStrictEqual(["1A"]);
    expectRefused(await redeem(client, { reward: "cabin_upgrade", bookingId: booking.id }), 409, "higher");
    expect((await accountOf(client)).pointsBalance).toBe(160_000);
    expectStatus(200, await client.cancel(booking.id));
    expect([await client.seatsLeft("UP"), await client.seatsLeft("UP", "business")]).toStrictEqual([58, 4]);
    expectRefused(await redeem(client, { reward: "cabin_upgrade", bookingId: booking.id }), 409, "cancelled");
  });
});

function endOfMonthTwoYearsAfter(moment: number): string {
  const date = new Date(moment);
  return new Date(Date.UTC(date.getUTCFullYear() + 2, date.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}
