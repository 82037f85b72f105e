import { describe, expect, test } from "@jest/globals";
import { earned, given, MONTH_END, ofAccount, part, redeemed, setAside, T0, transaction } from "./fixtures.ts";

const BAGGAGE = {
  type: "SetPointsAside",
  ...ofAccount,
  redemptionId: "red_1",
  reward: "extra_baggage",
  bookingId: "bkg_9",
} as const;
const aside = setAside(T0 + 1, "extra_baggage", 8_000, [part("bkg_1", MONTH_END, 8_000)]);
const COMPLETE = { type: "CompleteRedemption", ...ofAccount, redemptionId: "red_1", banked: 0 } as const;
const FREE = { type: "FreePoints", ...ofAccount, redemptionId: "red_1", code: "booking_cancelled" } as const;
const freed = {
  type: "PointsFreed",
  at: T0 + 2,
  data: { ...ofAccount, redemptionId: "red_1", code: "booking_cancelled", parts: aside.data.parts },
} as const;

describe("a reward no booking has a say in", () => {
  const LOUNGE = { type: "RedeemPoints", ...ofAccount, redemptionId: "red_1", reward: "lounge_access" } as const;
  const lounge = redeemed(T0 + 1, {
    reward: "lounge_access",
    bookingId: null,
    parts: [part("bkg_1", MONTH_END, 5_000)],
    posting: { id: transaction(2), points: -5_000, balanceAfter: 5_000 },
  });

  test("is given at once, once", () => {
    given([earned(T0)])
      .when(LOUNGE, T0 + 1)
      .then([lounge]);
    given([earned(T0), lounge])
      .when(LOUNGE, T0 + 2)
      .then([]);
  });

  test("credit is banked", () => {
    const credit = redeemed(T0 + 1, {
      reward: "booking_credit",
      bookingId: null,
      banked: 10_000,
      parts: [part("bkg_1", MONTH_END, 10_000)],
      posting: { id: transaction(2), points: -10_000, balanceAfter: 0 },
    });
    given([earned(T0)])
      .when({ ...LOUNGE, reward: "booking_credit" }, T0 + 1)
      .then([credit]);
    expect(given([earned(T0), credit]).state().credit).toBe(10_000);
  });

  test("needs the points", () => {
    given([
      earned(T0),
      lounge,
      {
        ...lounge,
        data: {
          ...lounge.data,
          redemptionId: "red_2",
          posting: { id: transaction(3), points: -5_000, balanceAfter: 0 },
        },
      },
    ])
      .when({ ...LOUNGE, redemptionId: "red_3" }, T0 + 2)
      .thenRejected({ code: "not_enough_points", facts: { points: 5_000, spendable: 0 } });
  });
});

describe("points for a booking's reward", () => {
  test("are set aside: still in the balance, and not to be spent a second time", () => {
    given([earned(T0)])
      .when(BAGGAGE, T0 + 1)
      .then([aside]);
    given([earned(T0), aside])
      .when(BAGGAGE, T0 + 2)
      .then([]);
    given([earned(T0), aside])
      .when({ ...BAGGAGE, redemptionId: "red_2" }, T0 + 2)
      .thenRejected({ code: "not_enough_points", facts: { points: 8_000, spendable: 2_000 } });
    expect(given([earned(T0), aside]).state().balance).toBe(10_000);
  });

  test("are taken when it was given, once", () => {
    const taken = redeemed(T0 + 2, {});
    given([earned(T0), aside])
      .when(COMPLETE, T0 + 2)
      .then([taken]);
    given([earned(T0), aside, taken])
      .when(COMPLETE, T0 + 3)
      .then([]);
    given([earned(T0), aside, taken])
      .when(FREE, T0 + 3)
      .then([]);
  });

  test("are free when it was refused; that attempt is over", () => {
    given([earned(T0), aside])
      .when(FREE, T0 + 2)
      .then([freed]);
    given([earned(T0), aside, freed])
      .when(BAGGAGE, T0 + 3)
      .thenRejected("redemption_given_up");
    given([earned(T0), aside, freed])
      .when(COMPLETE, T0 + 3)
      .thenRejected("redemption_given_up");
    given([earned(T0), aside, freed])
      .when({ ...BAGGAGE, redemptionId: "red_2" }, T0 + 3)
      .then([setAside(T0 + 3, "extra_baggage", 8_000, aside.data.parts, "red_2")]);
  });

  test("do not expire meanwhile, and are gone when they come back too late", () => {
    const late = MONTH_END + 1;
    const rest = {
      type: "PointsExpired",
      at: late,
      data: {
        ...ofAccount,
        expiresAt: MONTH_END,
        posting: { id: transaction(2), points: -2_000, balanceAfter: 8_000 },
      },
    } as const;
    given([earned(T0), aside])
      .when(COMPLETE, late)
      .then([rest, redeemed(late, { posting: { id: transaction(3), points: -8_000, balanceAfter: 0 } })]);
    const gone = {
      ...rest,
      data: { ...rest.data, posting: { id: transaction(3), points: -8_000, balanceAfter: 0 } },
    };
    given([earned(T0), aside])
      .when(FREE, late)
      .then([rest, { ...freed, at: late }, gone]);
    expect(given([earned(T0), aside, rest, { ...freed, at: late }, gone]).state()).toMatchObject({
      balance: 0,
      lots: { months: [], left: 0 },
    });
  });

  test("of a redemption nobody began can't be taken", () => {
    given([]).when(COMPLETE, T0).thenRejected("redemption_not_found");
    given([]).when(FREE, T0).thenRejected("redemption_not_found");
  });
});

describe("banked credit", () => {
  const banked = redeemed(T0 + 1, {
    reward: "booking_credit",
    bookingId: null,
    banked: 10_000,
    parts: [part("bkg_1", MONTH_END, 10_000)],
    posting: { id: transaction(2), points: -10_000, balanceAfter: 0 },
  });
  const claim = (bookingId: string, maxAmount: number, currency = "USD") =>
    ({ type: "ClaimCredit", ...ofAccount, bookingId, maxAmount, currency }) as const;
  const claimed = (bookingId: string, amount: number) =>
    ({ type: "CreditClaimed", at: T0 + 2, data: { ...ofAccount, bookingId, amount } }) as const;
  const returned = {
    type: "CreditReturned",
    at: T0 + 3,
    data: { ...ofAccount, creditId: "bkg_5/claimed", bookingId: "bkg_5", amount: 7_000 },
  } as const;
  const history = [earned(T0), banked] as const;

  test("is claimed as far as a booking has use for it, once", () => {
    given(history)
      .when(claim("bkg_5", 7_000), T0 + 2)
      .then([claimed("bkg_5", 7_000)]);
    given([...history, claimed("bkg_5", 7_000)])
      .when(claim("bkg_5", 7_000), T0 + 3)
      .then([]);
    given([...history, claimed("bkg_5", 7_000)])
      .when(claim("bkg_6", 7_000), T0 + 2)
      .then([claimed("bkg_6", 3_000)]);
    given([...history, claimed("bkg_5", 10_000)])
      .when(claim("bkg_6", 7_000), T0 + 2)
      .then([]);
  });

  test("is left alone by a booking in another currency", () => {
    for (const currency of ["EUR", "KWD", "JPY"])
      given(history)
        .when(claim("bkg_5", 7_000, currency), T0 + 2)
        .then([]);
  });

  test("goes back once when its booking never came to be, and that one does not claim it again", () => {
    const claims = [...history, claimed("bkg_5", 7_000)];
    const back = { type: "ReturnClaim", ...ofAccount, bookingId: "bkg_5" } as const;
    given(claims)
      .when(back, T0 + 3)
      .then([returned]);
    given([...claims, returned])
      .when(back, T0 + 4)
      .then([]);
    given([...claims, returned])
      .when(claim("bkg_5", 7_000), T0 + 4)
      .then([]);
    expect(given([...claims, returned]).state().credit).toBe(10_000);
    given(history)
      .when({ ...back, bookingId: "bkg_7" }, T0 + 3)
      .then([]);
  });

  test("that a booking gave up goes back once", () => {
    const back = {
      type: "ReturnCredit",
      ...ofAccount,
      creditId: "bkg_5/cancelled",
      bookingId: "bkg_5",
      amount: 7_000,
    } as const;
    const again = { ...returned, data: { ...returned.data, creditId: "bkg_5/cancelled" } };
    const claims = [...history, claimed("bkg_5", 7_000)];
    given(claims)
      .when(back, T0 + 3)
      .then([again]);
    given([...claims, again])
      .when(back, T0 + 4)
      .then([]);
  });
});

describe("an operator's adjustment", () => {
  const adjust = (points: number) =>
    ({ type: "AdjustPoints", ...ofAccount, adjustmentId: "adj_1", points, reason: "a gift" }) as const;

  test("adds points that expire as if earned now", () => {
    given([])
      .when(adjust(700), T0)
      .then([
        {
          type: "PointsAdjusted",
          at: T0,
          data: {
            ...ofAccount,
            adjustmentId: "adj_1",
            reason: "a gift",
            expiresAt: MONTH_END,
            parts: [],
            posting: { id: transaction(1), points: 700, balanceAfter: 700 },
          },
        },
      ]);
  });

  test("takes the oldest, and never more than there is; lifetime points stay", () => {
    given([earned(T0)])
      .when(adjust(-9_999), T0 + 1)
      .then([
        {
          type: "PointsAdjusted",
          at: T0 + 1,
          data: {
            ...ofAccount,
            adjustmentId: "adj_1",
            reason: "a gift",
            expiresAt: null,
            parts: [part("bkg_1", MONTH_END, 9_999)],
            posting: { id: transaction(2), points: -9_999, balanceAfter: 1 },
          },
        },
      ]);
    given([earned(T0)])
      .when(adjust(-10_001), T0 + 1)
      .thenRejected("not_enough_points");
    given([earned(T0), aside])
      .when(adjust(-2_001), T0 + 2)
      .thenRejected("not_enough_points");
    given([]).when(adjust(0), T0).thenRejected("adjustment_invalid");
    given([]).when(adjust(0.5), T0).thenRejected("adjustment_invalid");
  });
});
