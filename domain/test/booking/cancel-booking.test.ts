import { describe, expect, test } from "@jest/globals";
import { HOUR } from "../../src/index.ts";
import {
  ACCOUNT,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  created,
  DEPARTS_AT,
  failed,
  given,
  NO_POINTS,
  paid,
  paidByTransfer,
  pendingPoints,
  REFUND,
  received,
  refundStarted,
  returnDue,
  started,
  T0,
  TOTAL,
  TRANSFER_AUTOMATIC_REFUND,
  TRANSFER_PAYMENT,
  transferStarted,
} from "./fixtures.ts";

const cancel = { type: "CancelBooking", accountId: ACCOUNT, reason: "ill" } as const;
const at = T0 + HOUR;

describe("cancelling a booking", () => {
  test("an unpaid one", () => {
    given([created()])
      .when(cancel, at)
      .then([cancelled(at, "requested", "ill")]);
  });

  test("twice is a no-op that keeps the first reason", () => {
    given([created(), cancelled(at)])
      .when(cancel, at + 1)
      .then([]);
    expect(given([created(), cancelled(at, "requested", "ill")]).state()).toMatchObject({
      status: "cancelled",
      cancelledAt: at,
      cause: "requested",
      reason: "ill",
      seats: ["10A", "10B"],
    });
  });

  test("another account's booking, or none", () => {
    given([created()])
      .when({ ...cancel, accountId: "acc_2" }, at)
      .thenRejected("booking_not_found");
    given([]).when(cancel, at).thenRejected("booking_not_found");
  });

  test("24 hours before departure what was paid goes back", () => {
    const late = DEPARTS_AT - 24 * HOUR;
    given(paid())
      .when(cancel, late)
      .then([
        cancelled(late, "requested", "ill"),
        refundStarted(late, CARD_PAYMENT, CARD_REFUND, TOTAL, "booking_cancelled", null, NO_POINTS),
      ]);
  });

  test("later nothing does, and after departure neither", () => {
    for (const late of [DEPARTS_AT - 24 * HOUR + 1, DEPARTS_AT, DEPARTS_AT + HOUR]) {
      given(paid())
        .when(cancel, late)
        .then([cancelled(late, "requested", "ill", { keepsPoints: true })]);
    }
  });

  test("only what remains is refunded", () => {
    given([...paid(), refundStarted(T0 + 5, CARD_PAYMENT, REFUND, 6_500, "other", null, pendingPoints(2_065, 2_000))])
      .when(cancel, at)
      .then([
        cancelled(at, "requested", "ill"),
        refundStarted(at, CARD_PAYMENT, CARD_REFUND, 200_000, "booking_cancelled", null, pendingPoints(2_000, 0)),
      ]);
    given([...paid(), refundStarted(T0 + 5, CARD_PAYMENT, REFUND, TOTAL, "other")])
      .when(cancel, at)
      .then([cancelled(at, "requested", "ill")]);
  });

  test("a bank transfer's refund settles after three business days", () => {
    given(paidByTransfer())
      .when(cancel, at)
      .then([
        cancelled(at, "requested", "ill"),
        refundStarted(
          at,
          TRANSFER_PAYMENT,
          TRANSFER_AUTOMATIC_REFUND,
          TOTAL,
          "booking_cancelled",
          Date.parse("2027-01-06T11:00:00Z"),
          NO_POINTS,
        ),
      ]);
  });

  test("a pending bank transfer fails first, and its partial money is owed back, entry by entry", () => {
    given([
      created(),
      transferStarted(T0 + 1),
      received(T0 + 2, "e1", 100, 100),
      received(T0 + 3, "e2", 900, 0, "EUR"),
      returnDue(T0 + 3, "e2", 900, "wrong_currency", "EUR"),
      received(T0 + 4, "e3", 50, 50),
    ])
      .when(cancel, at)
      .then([
        failed(at, "booking_cancelled", TRANSFER_PAYMENT),
        returnDue(at, "e1", 100, "cancelled"),
        returnDue(at, "e3", 50, "cancelled"),
        cancelled(at, "requested", "ill"),
      ]);
  });

  test("a charge under way stays open", () => {
    given([created(), started(T0 + 1)])
      .when(cancel, at)
      .then([cancelled(at, "requested", "ill")]);
  });

  test("a booking past its expiry has expired, not been cancelled", () => {
    const late = T0 + 24 * HOUR;
    given([created()])
      .when(cancel, late)
      .then([cancelled(late, "expired")]);
  });
});
