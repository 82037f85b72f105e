import { afterEach, describe, expect, test } from "@jest/globals";
import { memberNumberOf } from "@travel-booking/domain";
import { loyalty } from "../../src/projections/loyalty.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent, type ProjectedModels } from "./kit/deliver.ts";

const ACCOUNT = "acc_7";
const T0 = Date.parse("2027-01-15T10:00:00Z");
const MARCH = Date.parse("2029-03-01T00:00:00Z");
const APRIL = Date.parse("2029-04-01T00:00:00Z");

const opened: GivenEvent = [
  `account-${ACCOUNT}`,
  { type: "AccountOpened", at: T0, data: { accountId: ACCOUNT, name: "Acme", apiVersion: "2026-11-01" } },
];
const ofBooking = (type: string, data: object): GivenEvent => ["booking-bkg_1", { type, at: T0 + 1, data } as never];
const ofLoyalty = (type: string, data: object, at = T0 + 2): GivenEvent => [
  `loyalty-${ACCOUNT}`,
  { type, at, data: { accountId: ACCOUNT, ...data } } as never,
];
const pending = (from: number, to: number) => ({ pending: { accountId: ACCOUNT, from, to } });
const posting = (number: number, points: number, balanceAfter: number) => ({
  posting: { id: `ltx_${number}`, points, balanceAfter },
});
const part = (expiresAt: number, points: number) => ({ bookingId: "bkg_1", expiresAt, points });

const paid = ofBooking("PaymentSucceeded", { paymentId: "pay_1", ...pending(0, 9_000) });
const earned = ofLoyalty("PointsEarned", {
  bookingId: "bkg_1",
  amount: 900_000,
  pending: 9_000,
  expiresAt: MARCH,
  lifetimeAfter: 9_000,
  refundIds: [],
  ...posting(1, 9_000, 9_000),
});
const added = { adjustmentId: "adj_1", reason: "a gift", expiresAt: APRIL, parts: [] };
const given = ofLoyalty("PointsAdjusted", { ...added, ...posting(2, 500, 9_500) });
const aside = ofLoyalty("PointsSetAside", {
  redemptionId: "red_1",
  reward: "extra_baggage",
  bookingId: "bkg_1",
  points: 8_000,
  parts: [part(MARCH, 8_000)],
});
const redemption = { redemptionId: "red_1", reward: "extra_baggage", bookingId: "bkg_1", banked: 0, parts: [] };
const redeemed = ofLoyalty("PointsRedeemed", { ...redemption, ...posting(3, -8_000, 1_500) });
const reversed = ofLoyalty("PointsReversed", {
  bookingId: "bkg_1",
  amount: 0,
  lifetimeAfter: 0,
  refundIds: ["rfd_1"],
  parts: [part(MARCH, 1_000), part(APRIL, 500)],
  ...posting(4, -1_500, 0),
});

describe.each(DELIVERIES)("loyalty, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);
  const account = () => made.body("loyalty.account", ACCOUNT);
  const types = async (index: string, partition: string) =>
    ((await made.list("loyalty.transaction", index, partition)) as { type: string }[]).map(({ type }) => type);

  test("an account has one from its opening on", async () => {
    made = await deliver(loyalty, [opened], delivery);
    expect(await account()).toStrictEqual({
      id: "loy_7",
      memberNumber: memberNumberOf(ACCOUNT),
      memberSince: "2027-01-15",
      tier: "voyager",
      pointsBalance: 0,
      pointsPending: 0,
      lifetimePoints: 0,
      pointsExpireOn: null,
      tierProgress: { nextTier: "pioneer", pointsToNextTier: 50_000, percent: 0 },
    });
  });

  test("points are pending as the booking says, until they are earned", async () => {
    const refunded = ofBooking("RefundStarted", { refundId: "rfd_1", ...pending(9_000, 8_990) });
    const late = ofBooking("RefundStarted", { refundId: "rfd_2", departed: true });
    made = await deliver(loyalty, [opened, paid, refunded, late], delivery);
    expect(await account()).toMatchObject({ pointsPending: 8_990, pointsBalance: 0 });
    made = await deliver(loyalty, [opened, paid, earned], delivery);
    expect(await account()).toMatchObject({
      pointsPending: 0,
      pointsBalance: 9_000,
      lifetimePoints: 9_000,
      pointsExpireOn: "2029-02-28",
    });
  });

  test("what expires next is what is left of the oldest", async () => {
    made = await deliver(loyalty, [opened, paid, earned, given, aside], delivery);
    expect(await account()).toMatchObject({ pointsBalance: 9_500, pointsExpireOn: "2029-02-28" });
    const all = ofLoyalty("PointsSetAside", {
      redemptionId: "red_2",
      reward: "lounge_access",
      bookingId: "bkg_1",
      points: 1_000,
      parts: [part(MARCH, 1_000)],
    });
    made = await deliver(loyalty, [opened, paid, earned, given, aside, all], delivery);
    expect(await account()).toMatchObject({ pointsBalance: 9_500, pointsExpireOn: "2029-03-31" });
    const freed = ofLoyalty("PointsFreed", { redemptionId: "red_2", code: "c", parts: [part(MARCH, 1_000)] });
    made = await deliver(loyalty, [opened, paid, earned, given, aside, all, freed], delivery);
    expect(await account()).toMatchObject({ pointsExpireOn: "2029-02-28" });
  });

  test("every posting is a transaction, in the order of the log, by type as well", async () => {
    const month = ofLoyalty("PointsExpired", { expiresAt: MARCH, posting: null }, MARCH);
    made = await deliver(loyalty, [opened, paid, earned, given, aside, redeemed, reversed, month], delivery);
    expect(await types("byAccount", ACCOUNT)).toStrictEqual(["earn", "adjust", "redeem", "adjust"]);
    expect(await types("byAccountAndType", `${ACCOUNT}/adjust`)).toStrictEqual(["adjust", "adjust"]);
    expect(await account()).toMatchObject({ pointsBalance: 0, lifetimePoints: 0, pointsExpireOn: null });
    expect(await made.body("loyalty.transaction", `${ACCOUNT}/ltx_3`)).toStrictEqual({
      id: "ltx_3",
      type: "redeem",
      points: -8_000,
      balanceAfter: 1_500,
      bookingId: "bkg_1",
      description: "Redeemed for extra baggage",
      createdAt: "2027-01-15T10:00:00.002Z",
    });
  });

  test("credit that goes back pays what is owed, and is a transaction", async () => {
    const owing = ofLoyalty("PointsReversed", {
      bookingId: "bkg_1",
      amount: 0,
      lifetimeAfter: 0,
      refundIds: ["rfd_1"],
      parts: [],
      ...posting(2, -9_000, 0),
    });
    const back = ofLoyalty("CreditTakenBack", { amount: 9_000, ...posting(3, 9_000, 9_000) });
    made = await deliver(loyalty, [opened, paid, earned, owing, back], delivery);
    expect(await account()).toMatchObject({ pointsBalance: 9_000, lifetimePoints: 0, pointsExpireOn: "2029-02-28" });
    expect(await made.body("loyalty.transaction", `${ACCOUNT}/ltx_3`)).toStrictEqual({
      id: "ltx_3",
      type: "adjust",
      points: 9_000,
      balanceAfter: 9_000,
      bookingId: null,
      description: "Paid with unused credit of 90.00 USD",
      createdAt: "2027-01-15T10:00:00.002Z",
    });
  });

  test("the end of a month takes what was left of it", async () => {
    const month = ofLoyalty("PointsExpired", { expiresAt: MARCH, ...posting(3, -9_000, 500) }, MARCH);
    made = await deliver(loyalty, [opened, paid, earned, given, month], delivery);
    expect(await account()).toMatchObject({ pointsBalance: 500, lifetimePoints: 9_000, pointsExpireOn: "2029-03-31" });
    expect(await made.body("loyalty.transaction", `${ACCOUNT}/ltx_3`)).toMatchObject({
      type: "expire",
      points: -9_000,
      description: "Expired on 2029-02-28",
    });
  });
});
