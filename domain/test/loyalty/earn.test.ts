import { describe, expect, test } from "@jest/globals";
import { DAY } from "../../src/index.ts";
import {
  ACCOUNT,
  adjusted,
  earned,
  given,
  MONTH_END,
  NEXT_MONTH_END,
  ofAccount,
  part,
  post,
  redeemed,
  setAside,
  T0,
  takenBack,
  transaction,
} from "./fixtures.ts";

const reversal = (data: object) => ({ type: "PointsReversed", at: T0 + 5, data: { ...ofAccount, ...data } }) as never;

describe("a booking whose flight has departed", () => {
  test("earns its points, which expire two years later at the month's end", () => {
    given([])
      .when(post(), T0 + 1)
      .then([earned(T0 + 1)]);
  });

  test("earns them once, as of its departure, however late that is recorded", () => {
    given([])
      .when(post(), T0 + 40 * DAY)
      .then([earned(T0 + 40 * DAY)]);
    given([earned(T0 + 1)])
      .when(post(), T0 + 2)
      .then([]);
  });

  test("without a whole dollar is on record all the same", () => {
    given([])
      .when(post({ amount: 99, pending: 0 }), T0)
      .then([earned(T0, { amount: 99, pending: 0, lifetimeAfter: 0, posting: null })]);
  });
});

describe("a refund after departure", () => {
  test("takes the difference in whole points, from lifetime points as well", () => {
    given([earned(T0)])
      .when(post({ amount: 899_901, refundIds: ["rfd_1"] }), T0 + 5)
      .then([
        reversal({
          bookingId: "bkg_1",
          amount: 899_901,
          lifetimeAfter: 8_999,
          refundIds: ["rfd_1"],
          parts: [part("bkg_1", MONTH_END, 1_001)],
          posting: { id: transaction(2), points: -1_001, balanceAfter: 8_999 },
        }),
      ]);
  });

  test("that changes no whole point is on record all the same; news that is older changes nothing", () => {
    const history = [
      earned(T0, {
        amount: 1_000_050,
        posting: { id: transaction(1), points: 10_000, balanceAfter: 10_000 },
      }),
    ];
    const noPoints = reversal({
      bookingId: "bkg_1",
      amount: 1_000_000,
      lifetimeAfter: 10_000,
      refundIds: ["rfd_1"],
      parts: [],
      posting: null,
    });
    given(history)
      .when(post({ refundIds: ["rfd_1"] }), T0 + 5)
      .then([noPoints]);
    given([...history, noPoints])
      .when(post({ amount: 1_000_050 }), T0 + 6)
      .then([]);
    given([...history, noPoints])
      .when(post({ refundIds: ["rfd_1"] }), T0 + 6)
      .then([]);
  });

  test("that came before the points were posted is in them already", () => {
    const late = earned(T0 + 9, {
      amount: 500_000,
      lifetimeAfter: 5_000,
      refundIds: ["rfd_1"],
      posting: { id: transaction(1), points: 5_000, balanceAfter: 5_000 },
    });
    given([])
      .when(post({ amount: 500_000, refundIds: ["rfd_1"] }), T0 + 9)
      .then([late]);
    given([late])
      .when(post(), T0 + 10)
      .then([]);
  });

  test("takes from the booking's own points first, then from the oldest", () => {
    const older = adjusted(T0 - DAY, 500, 1, 500);
    const own = earned(T0 + 20 * DAY, {
      bookingId: "bkg_2",
      expiresAt: NEXT_MONTH_END,
      posting: { id: transaction(2), points: 10_000, balanceAfter: 10_500 },
    });
    const other = earned(T0 + 20 * DAY, {
      bookingId: "bkg_3",
      expiresAt: NEXT_MONTH_END,
      lifetimeAfter: 20_000,
      posting: { id: transaction(3), points: 10_000, balanceAfter: 20_500 },
    });
    const spent = redeemed(T0 + 21 * DAY, {
      parts: [part(null, MONTH_END, 500), part("bkg_2", NEXT_MONTH_END, 7_500)],
      posting: { id: transaction(4), points: -8_000, balanceAfter: 12_500 },
    });
    const at = T0 + 22 * DAY;
    given([older, own, other, spent])
      .when(post({ bookingId: "bkg_3", amount: 0, refundIds: ["rfd_3"] }), at)
      .then([
        {
          type: "PointsReversed",
          at,
          data: {
            accountId: ACCOUNT,
            bookingId: "bkg_3",
            amount: 0,
            lifetimeAfter: 10_000,
            refundIds: ["rfd_3"],
            parts: [part("bkg_3", NEXT_MONTH_END, 10_000)],
            posting: { id: transaction(5), points: -10_000, balanceAfter: 2_500 },
          },
        },
      ]);
    given([older, own, other, spent])
      .when(post({ bookingId: "bkg_2", amount: 0, refundIds: ["rfd_2"] }), at)
      .then([
        {
          type: "PointsReversed",
          at,
          data: {
            accountId: ACCOUNT,
            bookingId: "bkg_2",
            amount: 0,
            lifetimeAfter: 10_000,
            refundIds: ["rfd_2"],
            parts: [part("bkg_2", NEXT_MONTH_END, 2_500), part("bkg_3", NEXT_MONTH_END, 7_500)],
            posting: { id: transaction(5), points: -10_000, balanceAfter: 2_500 },
          },
        },
      ]);
  });

  test("takes what is spent already as well: the balance is negative, and lifetime points fall by all of it", () => {
    const spent = redeemed(T0 + 1, { parts: [part("bkg_1", MONTH_END, 8_000)] });
    given([earned(T0), spent])
      .when(post({ amount: 0, refundIds: ["rfd_1"] }), T0 + 5)
      .then([
        reversal({
          bookingId: "bkg_1",
          amount: 0,
          lifetimeAfter: 0,
          refundIds: ["rfd_1"],
          parts: [part("bkg_1", MONTH_END, 2_000)],
          posting: { id: transaction(3), points: -10_000, balanceAfter: -8_000 },
        }),
      ]);
  });

  test("recorded when no more was taken than there was leaves nothing owed", () => {
    const spent = redeemed(T0 + 1, { parts: [part("bkg_1", MONTH_END, 8_000)] });
    const former = reversal({
      bookingId: "bkg_1",
      amount: 0,
      lifetimeAfter: 0,
      refundIds: ["rfd_1"],
      parts: [part("bkg_1", MONTH_END, 2_000)],
      posting: { id: transaction(3), points: -2_000, balanceAfter: 0 },
    });
    expect(given([earned(T0), spent, former]).state()).toMatchObject({ balance: 0, debt: 0 });
  });
});

describe("an account that owes points", () => {
  const spent = redeemed(T0 + 1, { parts: [part("bkg_1", MONTH_END, 8_000)] });
  const owing = [
    earned(T0),
    spent,
    reversal({
      bookingId: "bkg_1",
      amount: 0,
      lifetimeAfter: 0,
      refundIds: ["rfd_1"],
      parts: [part("bkg_1", MONTH_END, 2_000)],
      posting: { id: transaction(3), points: -10_000, balanceAfter: -8_000 },
    }),
  ];
  const other = (points: number) =>
    earned(T0 + 20 * DAY, {
      bookingId: "bkg_2",
      expiresAt: NEXT_MONTH_END,
      lifetimeAfter: points,
      posting: { id: transaction(4), points, balanceAfter: points - 8_000 },
    });

  test("redeems nothing, and an operator takes none", () => {
    const [redeem, aside] = [
      { type: "RedeemPoints", ...ofAccount, redemptionId: "red_2", reward: "lounge_access" } as const,
      { type: "SetPointsAside", ...ofAccount, redemptionId: "red_2", reward: "lounge_access", bookingId: "b" } as const,
    ];
    given(owing)
      .when(redeem, T0 + 6)
      .thenRejected("not_enough_points");
    given(owing)
      .when(aside, T0 + 6)
      .thenRejected("not_enough_points");
    const adjust = { type: "AdjustPoints", ...ofAccount, adjustmentId: "adj_1", points: -1, reason: "r" } as const;
    given(owing)
      .when(adjust, T0 + 6)
      .thenRejected("not_enough_points");
  });

  test("pays them off with what it earns, before that can be spent", () => {
    const some = given([...owing, other(5_000)]).state();
    expect(some).toMatchObject({ balance: -3_000, debt: 3_000, lots: { left: 0 } });
    const all = given([...owing, other(9_000)]).state();
    expect(all).toMatchObject({ balance: 1_000, debt: 0, lots: { left: 1_000 } });
    const gift = adjusted(T0 + 6, 8_001, 4, 1);
    expect(given([...owing, gift]).state()).toMatchObject({ balance: 1, debt: 0, lots: { left: 1 } });
  });

  test("has nothing that expires; the end of the month is recorded all the same", () => {
    given([...owing, other(5_000)])
      .when({ type: "ExpirePoints", ...ofAccount }, NEXT_MONTH_END)
      .then(
        [MONTH_END, NEXT_MONTH_END].map((expiresAt) => ({
          type: "PointsExpired",
          at: NEXT_MONTH_END,
          data: { ...ofAccount, expiresAt, posting: null },
        })),
      );
  });

  test("pays them off with points that come back from a refused reward, even if their month has ended", () => {
    const aside = setAside(T0 + 1, "extra_baggage", 8_000, [part("bkg_1", MONTH_END, 8_000)]);
    const half = reversal({
      bookingId: "bkg_1",
      amount: 500_000,
      lifetimeAfter: 5_000,
      refundIds: ["rfd_1"],
      parts: [part("bkg_1", MONTH_END, 2_000)],
      posting: { id: transaction(2), points: -5_000, balanceAfter: 5_000 },
    });
    const month = {
      type: "PointsExpired",
      at: MONTH_END,
      data: { ...ofAccount, expiresAt: MONTH_END, posting: null },
    } as const;
    const freed = {
      type: "PointsFreed",
      at: MONTH_END + 1,
      data: { ...ofAccount, redemptionId: "red_1", code: "c", parts: [part("bkg_1", MONTH_END, 8_000)] },
    } as const;
    const lapsed = {
      ...month,
      at: MONTH_END + 1,
      data: { ...month.data, posting: { id: transaction(3), points: -5_000, balanceAfter: 0 } },
    };
    given([earned(T0), aside, half, month])
      .when({ type: "FreePoints", ...ofAccount, redemptionId: "red_1", code: "c" }, MONTH_END + 1)
      .then([freed, lapsed]);
    expect(given([earned(T0), aside, half, month, freed, lapsed]).state()).toMatchObject({ balance: 0, debt: 0 });
  });
});

describe("unused credit", () => {
  /** 10,000 points bought $100, and 10,000 of another booking are left. */
  const banked = redeemed(T0 + 1, {
    reward: "booking_credit",
    bookingId: null,
    banked: 10_000,
    parts: [part("bkg_1", MONTH_END, 10_000)],
    posting: { id: transaction(2), points: -10_000, balanceAfter: 0 },
  });
  const claimed = {
    type: "CreditClaimed",
    at: T0 + 2,
    data: { ...ofAccount, bookingId: "bkg_5", amount: 7_000 },
  } as const;
  const reversed = (points: number, taken: object, balanceAfter: number, number = 3) =>
    reversal({
      bookingId: "bkg_1",
      amount: 100 * (10_000 - points),
      lifetimeAfter: 10_000 - points,
      refundIds: ["rfd_1"],
      parts: [],
      posting: { id: transaction(number), points: -points, balanceAfter },
      ...taken,
    });
  const refund = (points: number) => post({ amount: 100 * (10_000 - points), refundIds: ["rfd_1"] });

  test("goes before any points when points are taken back, at what it cost", () => {
    const other = adjusted(T0 + 1, 500, 3, 500);
    given([earned(T0), banked, other])
      .when(refund(4_000), T0 + 5)
      .then([reversed(4_000, {}, -3_500, 4), takenBack(T0 + 5, 4_000, 5, 500)]);
    given([earned(T0), banked, other])
      .when(refund(10_000), T0 + 5)
      .then([reversed(10_000, {}, -9_500, 4), takenBack(T0 + 5, 10_000, 5, 500)]);
  });

  test("that does not suffice leaves the rest to the points, and then owed; none is left to claim", () => {
    const other = adjusted(T0 + 1, 500, 3, 500);
    const history = [earned(T0), banked, other, claimed];
    const events = [
      reversed(10_000, { parts: [part(null, MONTH_END, 500)] }, -9_500, 4),
      takenBack(T0 + 5, 3_000, 5, -6_500),
    ];
    given(history)
      .when(refund(10_000), T0 + 5)
      .then(events);
    given([...history, ...events])
      .when({ type: "ClaimCredit", ...ofAccount, bookingId: "bkg_6", maxAmount: 1, currency: "USD" }, T0 + 6)
      .then([]);
    expect(given([...history, ...events]).state()).toMatchObject({ balance: -6_500, debt: 6_500, credit: 0 });
  });

  test("that comes back from a booking pays what is owed first, and the rest is credit again", () => {
    const owing = [earned(T0), banked, claimed, reversed(5_000, {}, -5_000), takenBack(T0 + 5, 3_000, 4, -2_000)];
    const [creditId, amount] = ["bkg_5/cancelled", 7_000];
    const back = {
      type: "CreditReturned",
      at: T0 + 6,
      data: { ...ofAccount, creditId, bookingId: "bkg_5", amount },
    } as const;
    const events = [back, takenBack(T0 + 6, 2_000, 5, 0)];
    given(owing)
      .when({ type: "ReturnCredit", ...ofAccount, creditId, bookingId: "bkg_5", amount }, T0 + 6)
      .then(events);
    expect(given([...owing, ...events]).state()).toMatchObject({ balance: 0, debt: 0, credit: 5_000 });
    const claim = { ...back, data: { ...back.data, creditId: "bkg_5/claimed" } };
    given(owing)
      .when({ type: "ReturnClaim", ...ofAccount, bookingId: "bkg_5" }, T0 + 6)
      .then([claim, takenBack(T0 + 6, 2_000, 5, 0)]);
  });

  test("that a booking leaves of a reward pays what has come to be owed meanwhile", () => {
    const aside = setAside(T0 + 1, "booking_credit", 10_000, [part("bkg_1", MONTH_END, 10_000)]);
    const owing = [earned(T0), aside, reversed(1_000, {}, 9_000, 2)];
    given(owing)
      .when({ type: "CompleteRedemption", ...ofAccount, redemptionId: "red_1", banked: 2_500 }, T0 + 6)
      .then([
        redeemed(T0 + 6, {
          reward: "booking_credit",
          banked: 2_500,
          posting: { id: transaction(3), points: -10_000, balanceAfter: -1_000 },
        }),
        takenBack(T0 + 6, 1_000, 4, 0),
      ]);
  });

  test("that a former release has left beside points owed is not claimed, and pays them", () => {
    given([earned(T0), banked, reversed(4_000, {}, -4_000)])
      .when({ type: "ClaimCredit", ...ofAccount, bookingId: "bkg_6", maxAmount: 20_000, currency: "USD" }, T0 + 6)
      .then([takenBack(T0 + 6, 4_000, 4, 0)]);
  });
});

describe("the month's end", () => {
  const expired = {
    type: "PointsExpired",
    at: MONTH_END,
    data: {
      ...ofAccount,
      expiresAt: MONTH_END,
      posting: { id: transaction(2), points: -10_000, balanceAfter: 0 },
    },
  } as const;

  test("is recorded by whatever comes first, and not before", () => {
    given([earned(T0)])
      .when({ type: "ExpirePoints", ...ofAccount }, MONTH_END - 1)
      .then([]);
    given([earned(T0)])
      .when({ type: "ExpirePoints", ...ofAccount }, MONTH_END)
      .then([expired]);
    given([earned(T0)])
      .when({ type: "RedeemPoints", ...ofAccount, redemptionId: "red_1", reward: "lounge_access" }, MONTH_END)
      .thenRejected("not_enough_points", [expired]);
    given([earned(T0), expired])
      .when({ type: "ExpirePoints", ...ofAccount }, MONTH_END + 1)
      .then([]);
  });

  test("comes also where nothing is left, once", () => {
    const spent = redeemed(T0 + 1, {
      reward: "booking_credit",
      parts: [part("bkg_1", MONTH_END, 10_000)],
      posting: { id: transaction(2), points: -10_000, balanceAfter: 0 },
    });
    const empty = { ...expired, data: { ...ofAccount, expiresAt: MONTH_END, posting: null } };
    given([earned(T0), spent])
      .when({ type: "ExpirePoints", ...ofAccount }, MONTH_END)
      .then([empty]);
    expect(given([earned(T0), spent, empty]).state().lots.months).toStrictEqual([]);
  });

  test("of each month is its own, the earliest first", () => {
    const next = adjusted(T0 + 20 * DAY, 700, 2, 10_700);
    const at = NEXT_MONTH_END + 5;
    given([earned(T0), next])
      .when({ type: "ExpirePoints", ...ofAccount }, at)
      .then([
        {
          ...expired,
          at,
          data: { ...expired.data, posting: { id: transaction(3), points: -10_000, balanceAfter: 700 } },
        },
        {
          ...expired,
          at,
          data: {
            ...ofAccount,
            expiresAt: NEXT_MONTH_END,
            posting: { id: transaction(4), points: -700, balanceAfter: 0 },
          },
        },
      ]);
  });
});
