import { describe, expect, test } from "@jest/globals";
import {
  completeRedemption,
  DAY,
  type DueTask,
  FOLLOW_UP_GRACE,
  finishRedemption,
  HOUR,
  lookAtCharge,
  lookAtRefund,
  PROCESSES,
  partitionOf,
  RECOVERY_GRACE,
  returnCancelled,
  reviewDocument,
  SECOND,
  sagaOf,
} from "../../src/index.ts";
import { accepted, changesOf, play, playOpened, rejected } from "./play.ts";

const NONE = { opened: [], closed: [] };

const charge = {
  paymentId: "P",
  bookingId: "B",
  accountId: "A",
  amount: 1,
  currency: "USD",
  method: "card",
  saveCard: false,
} as const;
const refund = {
  bookingId: "B",
  refundId: "R",
  attempt: 1,
  paymentId: "P",
  amount: 1,
  currency: "USD",
  reason: "duplicate",
} as const;

/** A booking B on the flight F follows it. */
const following = [["booking-B"], ["flight-F"], ["booking-B", { type: "FollowFlight", flightId: "F", changes: [] }]];

describe("hold seats", () => {
  test("a hold expires unless it ends or is used before", () => {
    expect(changesOf("flight-F", "SeatsHeld", { holdId: "H", expiresAt: 9 }).opened).toStrictEqual([
      ["H/expire_hold", { kind: "expire_hold", flightId: "F", holdId: "H", dueAt: 9 }],
    ]);
    for (const type of ["SeatHoldReleased", "SeatHoldExpired", "SeatsAllocated", "SeatChangeReserved"]) {
      expect(changesOf("flight-F", type, { holdId: "H", bookingId: "B" }).closed).toStrictEqual(["H/expire_hold"]);
    }
    expect(changesOf("flight-F", "SeatsAllocated", { holdId: null, bookingId: "B" }).closed).toStrictEqual([]);
  });

  test("the flight records what has expired", () => {
    expect(playOpened("flight-F", "SeatsHeld", { holdId: "H", expiresAt: 9 }, accepted()).steps).toStrictEqual([
      ["flight-F", { type: "ExpireHolds" }],
    ]);
  });
});

describe("receive money", () => {
  test("an entry that is matched waits for its booking to count it", () => {
    const money = { entryId: "E", reference: "R", amount: 5, currency: "USD" };
    const matched = { ...money, accountId: "A", bookingId: "B", paymentId: "P" };
    expect(changesOf("bankEntry-E", "BankEntryMatched", matched).opened).toStrictEqual([
      ["E/receive_transfer", { kind: "receive_transfer", ...matched, dueAt: RECOVERY_GRACE }],
    ]);
    expect(changesOf("booking-B", "TransferReceived", { entryId: "E" }).closed).toStrictEqual(["E/receive_transfer"]);
    expect(playOpened("bankEntry-E", "BankEntryMatched", matched, accepted()).steps).toStrictEqual([
      ["booking-B", { type: "ReceiveTransfer", ...money }],
    ]);
  });

  test("one that was reversed is freed once its booking counts it no longer", () => {
    const reversed = { entryId: "E", paymentId: "P", reason: "R", reversals: 2 };
    const task = { bookingId: "B", entryId: "E", reversals: 2 };
    expect(changesOf("booking-B", "TransferReversed", reversed).opened).toStrictEqual([
      ["E/free_entry", { kind: "free_entry", ...task, dueAt: FOLLOW_UP_GRACE }],
    ]);
    expect(changesOf("bankEntry-E", "BankEntryReversed", { entryId: "E" }).closed).toStrictEqual(["E/free_entry"]);
    expect(playOpened("booking-B", "TransferReversed", reversed, accepted()).steps).toStrictEqual([
      ["bankEntry-E", { type: "ReverseEntry", entryId: "E", letGo: { bookingId: "B", reversals: 2 } }],
    ]);
  });

  test("a journey that was flown gives back the points of money that never came", () => {
    const departed = { entryId: "E", paymentId: "P", reason: "R", reversals: 1, departed: true };
    expect(changesOf("booking-B", "TransferReversed", departed).opened).toContainEqual([
      "rev_E_1/reverse_points",
      { kind: "reverse_points", bookingId: "B", refundId: "rev_E_1", dueAt: FOLLOW_UP_GRACE },
    ]);
  });
});

describe("book", () => {
  const allocated = { bookingId: "B", holdId: null };

  test("an allocation waits for its booking", () => {
    expect(changesOf("flight-F", "SeatsAllocated", allocated).opened).toStrictEqual([
      ["B/claim_allocation", { kind: "claim_allocation", flightId: "F", bookingId: "B", dueAt: RECOVERY_GRACE }],
    ]);
    expect(changesOf("booking-B", "BookingCreated", { expiresAt: null }).closed).toContain("B/claim_allocation");
    expect(changesOf("flight-F", "AllocationReleased", { bookingId: "B" }).closed).toStrictEqual([
      "B/claim_allocation",
      "B/release_seats",
      "B/forget_refund",
      "B/F/finish_seat_change",
    ]);
  });

  test("the booking is closed before its seats go back, and keeps them if it exists", () => {
    const abandon = ["booking-B", { type: "AbandonBooking", bookingId: "B" }];
    expect(playOpened("flight-F", "SeatsAllocated", allocated, accepted(), accepted()).steps).toStrictEqual([
      abandon,
      ["flight-F", { type: "ReleaseAllocation", bookingId: "B", undone: true }],
    ]);
    expect(playOpened("flight-F", "SeatsAllocated", allocated, rejected("booking_exists")).steps).toStrictEqual([
      abandon,
    ]);
  });
});

describe("pay", () => {
  const card = { paymentId: "P", method: { type: "card" } };
  const recorded = (outcome: object) => ["booking-B", { type: "RecordPaymentOutcome", paymentId: "P", outcome }];

  test("a booking expires, later once a transfer is announced, and at another time with another departure", () => {
    expect(
      changesOf("booking-B", "BookingCreated", { expiresAt: 7, creditApplied: 0, departsAt: 9 }).opened,
    ).toContainEqual(["B/expire_booking", { kind: "expire_booking", bookingId: "B", dueAt: 7 }]);
    const transfer = { paymentId: "P", method: { type: "bank_transfer", bankTransfer: { dueAt: 8 } } };
    expect(changesOf("booking-B", "PaymentStarted", transfer)).toStrictEqual({
      opened: [["B/expire_booking", { kind: "expire_booking", bookingId: "B", dueAt: 8 }]],
      closed: [],
    });
    expect(changesOf("booking-B", "DepartureMoved", { departsAt: 9, expiresAt: 6 }).opened).toStrictEqual([
      ["B/expire_booking", { kind: "expire_booking", bookingId: "B", dueAt: 6 }],
      ["B/earn_points", { kind: "earn_points", bookingId: "B", dueAt: 9 }],
    ]);
    expect(changesOf("booking-B", "DepartureMoved", { departsAt: 9 }).opened).toHaveLength(1);
    expect(changesOf("booking-B", "BookingConfirmed", {}).closed).toStrictEqual(["B/expire_booking"]);
    expect(changesOf("booking-B", "BookingCancelled", { keepsPoints: true }).closed).toStrictEqual([
      "B/expire_booking",
      "B/recount_seats",
    ]);
  });

  test("it expires after its open charges are closed", () => {
    const created = { expiresAt: 7, creditApplied: 0, departsAt: 7 };
    const [expiring] = changesOf("booking-B", "BookingCreated", created).opened;
    expect(expiring?.[0]).toBe("B/expire_booking");
    const transfer = { paymentId: "T", method: { type: "bank_transfer", bankTransfer: { dueAt: 8 } } };
    const noRefunds = accepted({ answer: undefined, refunds: [] });
    const { steps } = playOpened(
      "booking-B",
      "PaymentStarted",
      transfer,
      "F",
      [],
      accepted([charge]),
      { status: "barred" },
      noRefunds,
      accepted(),
    );
    expect(steps).toStrictEqual([
      ...following,
      ["cancelCharge", charge],
      recorded({ status: "barred" }),
      "pay:recorded",
      ["booking-B", { type: "ExpireBooking" }],
    ]);
  });

  test("a charge left open is closed with its outcome; money that came too late goes back", () => {
    expect(changesOf("booking-B", "PaymentStarted", card)).toStrictEqual({
      opened: [["P/close_payment", { kind: "close_payment", bookingId: "B", paymentId: "P", dueAt: RECOVERY_GRACE }]],
      closed: [],
    });
    for (const type of ["PaymentSucceeded", "PaymentFailed", "PaymentWithdrawn"]) {
      expect(changesOf("booking-B", type, { paymentId: "P" })).toStrictEqual({
        opened: [],
        closed: ["P/close_payment"],
      });
    }
    const outcome = accepted({ answer: undefined, refunds: [refund] });
    const found = { charge, status: "pending", isWanted: false };
    const answers = [found, { status: "succeeded" }, outcome, new Error("gateway is down"), undefined];
    expect(playOpened("booking-B", "PaymentStarted", card, ...answers).steps).toStrictEqual([
      ["booking-B"],
      ["cancelCharge", charge],
      recorded({ status: "succeeded" }),
      "pay:recorded",
      "refund:sending",
      ["sendRefund", refund],
      ["warn", "refund not confirmed by the gateway yet", { err: answers[3], bookingId: "B", refundId: "R" }],
    ]);
  });

  test("a charge left open goes on while its booking can be paid", () => {
    const found = { charge, status: "pending", isWanted: true };
    const answers = [found, { status: "rejected" }, accepted({ answer: undefined, refunds: [] })];
    expect(playOpened("booking-B", "PaymentStarted", card, ...answers).steps).toStrictEqual([
      ["booking-B"],
      ["finishCharge", charge],
      recorded({ status: "rejected" }),
      "pay:recorded",
    ]);
  });

  test("a charge that has ended meanwhile is left alone", () => {
    const found = { charge, status: "succeeded" };
    expect(playOpened("booking-B", "PaymentStarted", card, found).steps).toStrictEqual([["booking-B"]]);
  });

  test("an inbound event makes the service look, but not where the charge is known to have succeeded", () => {
    const look = () => lookAtCharge("B", "P");
    expect(play(look(), undefined).steps).toStrictEqual([["booking-B"]]);
    expect(play(look(), { charge, status: "succeeded" }).steps).toStrictEqual([["booking-B"]]);
    const asked = [["booking-B"], ["chargeOutcome", charge]];
    expect(play(look(), { charge, status: "pending" }, undefined).steps).toStrictEqual(asked);
    const outcome = { status: "succeeded" };
    const answers = [{ charge, status: "failed" }, outcome, accepted({ answer: undefined, refunds: [] })];
    expect(play(look(), ...answers).steps).toStrictEqual([...asked, recorded(outcome), "pay:recorded"]);
  });

  test("an outcome that is refused is an error", () => {
    const answers = [{ charge, status: "pending" }, { status: "succeeded" }, rejected("payment_not_found")];
    expect(() => playOpened("booking-B", "PaymentStarted", card, ...answers)).toThrow("payment_not_found");
  });
});

describe("cancel", () => {
  const release = ["flight-F", { type: "ReleaseAllocation", bookingId: "B" }];

  test.each([
    ["requested", FOLLOW_UP_GRACE],
    ["expired", 0],
  ])("the seats of a booking that is cancelled (%s) go back", (cause, dueAt) => {
    const cancelled = { cause, keepsPoints: true };
    expect(changesOf("booking-B", "BookingCancelled", cancelled).opened).toStrictEqual([
      ["B/release_seats", { kind: "release_seats", bookingId: "B", dueAt }],
    ]);
    expect(playOpened("booking-B", "BookingCancelled", cancelled, "F", accepted()).steps).toStrictEqual([
      ["booking-B"],
      release,
    ]);
    expect(() => playOpened("booking-B", "BookingCancelled", cancelled, undefined)).toThrow("is not cancelled");
  });

  test("a request gives back seats, credit and money, in this order", () => {
    const credit = { accountId: "A", creditId: "C", amount: 5 };
    const saga = returnCancelled("B", "F", credit, [refund]);
    expect(play(saga, accepted(), accepted(), { status: "succeeded" }, accepted()).steps).toStrictEqual([
      release,
      "cancel:released",
      ["loyalty-A", { type: "ReturnCredit", bookingId: "B", ...credit }],
      "credit:returned",
      "refund:sending",
      ["sendRefund", refund],
      "refund:sent",
      ["booking-B", { type: "SettleRefund", refundId: "R" }],
      "refund:settled",
    ]);
  });
});

describe("refund", () => {
  const started = { refundId: "R", paymentId: "P", amount: 1, currency: "USD", settlesAt: null };
  const settle = ["booking-B", { type: "SettleRefund", refundId: "R" }];
  const open = (dueAt: number) => [["R/send_refund", { kind: "send_refund", bookingId: "B", refundId: "R", dueAt }]];

  test("the gateway carries it out", () => {
    expect(changesOf("booking-B", "RefundStarted", started).opened).toStrictEqual(open(FOLLOW_UP_GRACE));
    const answers = [refund, { status: "succeeded" }, accepted()];
    const { steps } = playOpened("booking-B", "RefundStarted", started, ...answers);
    expect(steps).toStrictEqual([
      ["booking-B"],
      "refund:sending",
      ["sendRefund", refund],
      "refund:sent",
      settle,
      "refund:settled",
    ]);
    expect(() => playOpened("booking-B", "RefundStarted", started, refund, new Error("down"))).toThrow("down");
  });

  test("one that has arrived or failed meanwhile is not sent", () => {
    expect(playOpened("booking-B", "RefundStarted", started, undefined).steps).toStrictEqual([["booking-B"]]);
  });

  test.each([
    [1, 20 * SECOND],
    [2, HOUR],
    [3, DAY],
    [40, DAY],
  ])("one on its way is asked for again, the %s. time after %s ms", (checks, dueAt) => {
    const awaited = { refundId: "R", paymentId: "P", checks };
    expect(changesOf("booking-B", "RefundAwaited", awaited)).toStrictEqual({
      opened: [["R/check_refund", { kind: "check_refund", bookingId: "B", refundId: "R", dueAt }]],
      closed: ["R/send_refund"],
    });
  });

  test.each([
    [{ status: "succeeded" }, { type: "SettleRefund", refundId: "R" }],
    [{ status: "pending" }, { type: "AwaitRefund", refundId: "R" }],
    [
      { status: "failed", reason: "declined" },
      { type: "FailRefund", refundId: "R", attempt: 1, reason: "declined" },
    ],
  ])("asked for again, the gateway says %p", (outcome, command) => {
    const awaited = { refundId: "R", paymentId: "P", checks: 1 };
    const { steps } = playOpened("booking-B", "RefundAwaited", awaited, refund, outcome, accepted(), undefined);
    expect(steps.slice(0, 3)).toStrictEqual([["booking-B"], ["refundOutcome", refund], ["booking-B", command]]);
    expect(steps.slice(3).map((step) => [step].flat()[0])).toStrictEqual(outcome.status === "failed" ? ["warn"] : []);
  });

  test("one that the gateway has never seen is sent again", () => {
    const awaited = { refundId: "R", paymentId: "P", checks: 1 };
    const { steps } = playOpened(
      "booking-B",
      "RefundAwaited",
      awaited,
      refund,
      undefined,
      { status: "pending" },
      accepted(),
    );
    expect(steps).toContainEqual(["sendRefund", refund]);
  });

  test("a failed one waits for an operator, who may have it sent again", () => {
    const failed = { refundId: "R", paymentId: "P", attempt: 1, reason: "declined" };
    expect(changesOf("booking-B", "RefundFailed", failed)).toStrictEqual({
      opened: [],
      closed: ["R/send_refund", "R/check_refund"],
    });
    const retried = { refundId: "R", paymentId: "P", attempt: 2 };
    expect(changesOf("booking-B", "RefundRetried", retried).opened).toStrictEqual(open(FOLLOW_UP_GRACE));
  });

  test("an inbound event makes the service look; that it is still on its way changes nothing", () => {
    const look = () => lookAtRefund("B", "R");
    const asked = [["booking-B"], ["refundOutcome", refund]];
    expect(play(look(), undefined).steps).toStrictEqual([["booking-B"]]);
    for (const outcome of [undefined, { status: "pending" }]) {
      expect(play(look(), refund, outcome).steps).toStrictEqual(asked);
    }
    expect(play(look(), refund, { status: "succeeded" }, accepted()).steps).toStrictEqual([...asked, settle]);
  });

  describe("that its flight has counted", () => {
    const counted = { bookingId: "B", refundId: "R" };

    test("is forgotten unless the booking starts one that leaves less than half, or is off the flight", () => {
      const task = { kind: "forget_refund", flightId: "F", ...counted, dueAt: RECOVERY_GRACE };
      expect(changesOf("flight-F", "SeatsRefunded", counted).opened).toStrictEqual([["B/forget_refund", task]]);
      expect(changesOf("booking-B", "RefundStarted", started).closed).toStrictEqual([]);
      for (const [stream, type, data] of [
        ["booking-B", "RefundStarted", { ...started, keepsLessThanHalf: true }],
        ["flight-F", "SeatsRefundUndone", counted],
        ["flight-F", "AllocationReleased", counted],
      ] as const)
        expect(changesOf(stream, type, data).closed).toContain("B/forget_refund");
    });

    test("is closed in the booking first, and stays where that has started it", () => {
      const close = ["booking-B", { type: "CloseRefund", refundId: "R" }];
      const steps = (isNotStarted: boolean) =>
        playOpened("flight-F", "SeatsRefunded", counted, accepted(isNotStarted), accepted()).steps;
      expect(steps(true)).toStrictEqual([close, ["flight-F", { type: "UndoRefundedSeats", ...counted }]]);
      expect(steps(false)).toStrictEqual([close]);
    });
  });

  test("of a former release: a booking that is paid no more is told to its flight, until that knows it or the booking is cancelled", () => {
    const { opened } = changesOf("booking-B", "RefundStarted", { ...started, keepsNothing: true });
    const task = { kind: "recount_seats", bookingId: "B", dueAt: FOLLOW_UP_GRACE };
    expect(opened).toStrictEqual([...open(FOLLOW_UP_GRACE), ["B/recount_seats", task]]);
    expect(changesOf("flight-F", "SeatsRefunded", { bookingId: "B" }).closed).toStrictEqual(["B/recount_seats"]);
    expect(changesOf("booking-B", "BookingCancelled", { cause: "requested" }).closed).toContain("B/recount_seats");
    const recount = sagaOf(task as DueTask);
    expect(play(recount, { flightId: "F", accountId: "A" }, accepted()).steps).toStrictEqual([
      ["booking-B"],
      ["flight-F", { type: "RecordRefundedSeats", bookingId: "B", accountId: "A" }],
    ]);
  });

  test("one of a transfer arrives by time", () => {
    const transfer = { ...started, settlesAt: 9 };
    expect(changesOf("booking-B", "RefundStarted", transfer).opened).toStrictEqual([
      ["R/settle_refund", { kind: "settle_refund", bookingId: "B", refundId: "R", dueAt: 9 }],
    ]);
    expect(playOpened("booking-B", "RefundStarted", transfer, accepted()).steps).toStrictEqual([settle]);
    expect(changesOf("booking-B", "RefundSucceeded", { refundId: "R" }).closed).toStrictEqual([
      "R/send_refund",
      "R/check_refund",
      "R/settle_refund",
    ]);
  });
});

describe("change seats", () => {
  const reserved = { bookingId: "B", changeId: "X", holdId: null };
  const close = ["booking-B", { type: "CloseSeatChange", changeId: "X" }];

  test("reserved seats are applied or dropped", () => {
    expect(changesOf("flight-F", "SeatChangeReserved", reserved).opened).toStrictEqual([
      [
        "B/F/finish_seat_change",
        { kind: "finish_seat_change", flightId: "F", bookingId: "B", changeId: "X", dueAt: RECOVERY_GRACE },
      ],
    ]);
    for (const type of ["SeatChangeApplied", "SeatChangeDropped"]) {
      expect(changesOf("flight-F", type, reserved)).toStrictEqual({ opened: [], closed: ["B/F/finish_seat_change"] });
    }
  });

  test.each([
    ["applied where the booking has taken them", accepted(true), "ApplySeatChange"],
    ["dropped where it has not", accepted(false), "DropSeatChange"],
    ["dropped where there is no booking", rejected("booking_not_found"), "DropSeatChange"],
  ])("they are %s", (_, closed, type) => {
    expect(playOpened("flight-F", "SeatChangeReserved", reserved, closed, accepted()).steps).toStrictEqual([
      close,
      ["flight-F", { type, bookingId: "B", changeId: "X" }],
    ]);
  });
});

describe("save a passenger", () => {
  const claim = { accountId: "A", emailKey: "ada", passengerId: "P", claimId: "c1" };
  const first = { claimId: "c1", emailKey: "ada" };
  const second = { claimId: "c2", emailKey: "countess" };
  const profile = { passengerId: "P", accountId: "A" };
  const settling = ["c1/settle_email_claim", { kind: "settle_email_claim", ...claim, dueAt: RECOVERY_GRACE }];
  const releasing = ["c1/release_email", { kind: "release_email", ...claim, dueAt: FOLLOW_UP_GRACE }];
  const release = ["passengerEmail-A-ada", { type: "ReleaseEmail", ...claim }];
  const close = ["passenger-P", { type: "CloseEmailClaim", passengerId: "P", claimId: "c1" }];

  test("a claim waits for its profile, until it is taken over or released", () => {
    expect(changesOf("passengerEmail-A-ada", "EmailClaimed", claim)).toStrictEqual({ opened: [settling], closed: [] });
    expect(changesOf("passenger-P", "PassengerCreated", { ...profile, claim: first })).toStrictEqual({
      opened: [],
      closed: ["c1/settle_email_claim"],
    });
    expect(changesOf("passengerEmail-A-ada", "EmailReleased", claim)).toStrictEqual({
      opened: [],
      closed: ["c1/settle_email_claim", "c1/release_email"],
    });
  });

  test("an address that a profile gives up is released", () => {
    expect(changesOf("passenger-P", "PassengerDeleted", { ...profile, freed: first })).toStrictEqual({
      opened: [releasing],
      closed: [],
    });
    expect(changesOf("passenger-P", "PassengerChanged", { ...profile, claim: second, freed: first })).toStrictEqual({
      opened: [releasing],
      closed: ["c2/settle_email_claim"],
    });
  });

  test("other events of a profile change nothing", () => {
    const kept = { ...profile, claim: null, freed: null };
    expect(changesOf("passenger-P", "PassengerChanged", kept)).toStrictEqual(NONE);
    expect(changesOf("passenger-P", "PassengerAbandoned", profile)).toStrictEqual(NONE);
    expect(changesOf("passenger-P", "EmailClaimClosed", { passengerId: "P", claimId: "c2" })).toStrictEqual(NONE);
  });

  test("the profile is closed before a claim is released, and keeps it if it holds it", () => {
    const claimed = ["passengerEmail-A-ada", "EmailClaimed", claim] as const;
    expect(playOpened(...claimed, accepted(false), accepted()).steps).toStrictEqual([
      close,
      "passenger:closed",
      release,
      "passenger:released",
    ]);
    expect(playOpened(...claimed, accepted(true)).steps).toStrictEqual([close, "passenger:closed"]);
    const deleted = { ...profile, freed: first };
    expect(playOpened("passenger-P", "PassengerDeleted", deleted, accepted()).steps).toStrictEqual([
      release,
      "passenger:released",
    ]);
  });
});

describe("points of a booking whose flight is cancelled", () => {
  const [open, respondBy] = [["B/earn_points", { kind: "earn_points", bookingId: "B", dueAt: 9 }], 12];
  const told = { caseId: "C", kind: "cancelled", respondBy, after: null, onSilence: null };
  const earning = (type: string, data: object) => {
    const { opened, closed } = changesOf("booking-B", type, data);
    return [...opened, ...closed].filter((change) => JSON.stringify(change).includes("earn_points"));
  };

  test("are not due where it may wait longer than until the departure that is cancelled", () => {
    expect(earning("BookingDisrupted", told)).toStrictEqual(["B/earn_points"]);
    expect(earning("CaseRevised", { ...told, after: { departsAt: 20 }, onSilence: "refund" })).toStrictEqual([
      "B/earn_points",
    ]);
    expect(earning("BookingDisrupted", { ...told, onSilence: "refund" })).toStrictEqual([]);
  });

  test("are due again where it is reinstated, and where it moves", () => {
    expect(earning("CaseResolved", { caseId: "C", reinstatedBy: 3, departsAt: 9 })).toStrictEqual([open]);
    expect(earning("CaseResolved", { caseId: "C", reinstatedBy: 3 })).toStrictEqual([]);
    const former = { ...told, kind: "retimed", after: { departsAt: 9 }, onSilence: "accept" };
    expect(earning("CaseRevised", former)).toStrictEqual([open]);
    expect(earning("CaseRevised", { ...former, after: null, respondBy: 9, onSilence: null })).toStrictEqual([open]);
    expect(earning("BookingMoved", { departsAt: 9 })).toStrictEqual([open]);
  });
});

describe("earn points", () => {
  const depart = ["booking-B", { type: "RecordDeparture" }];
  const facts = { departsAt: 9, amount: 10, pending: 1, refundIds: ["R"] };
  const refunded = { refundId: "R", settlesAt: 9, departed: true };

  test("points are earned at departure and go with a cancellation, unless it keeps them", () => {
    const created = { departsAt: 9, creditApplied: 0, expiresAt: null };
    expect(changesOf("booking-B", "BookingCreated", created).opened).toStrictEqual([
      ["B/earn_points", { kind: "earn_points", bookingId: "B", dueAt: 9 }],
    ]);
    expect(changesOf("booking-B", "BookingCancelled", { keepsPoints: false }).closed).toContain("B/earn_points");
    expect(changesOf("booking-B", "BookingFlown", { amount: 0, pending: 0 }).closed).toStrictEqual(["B/earn_points"]);
    expect(changesOf("booking-B", "BookingFlown", { amount: 0, pending: 1 })).toStrictEqual(NONE);
    expect(changesOf("booking-B", "BookingFlown", { amount: 100_000, pending: 0 })).toStrictEqual(NONE);
    const earned = { accountId: "A", bookingId: "B", expiresAt: DAY, refundIds: ["R", "S"], posting: {} };
    expect(changesOf("loyalty-A", "PointsEarned", earned)).toStrictEqual({
      opened: [[`A/${DAY}/expire_points`, { kind: "expire_points", accountId: "A", dueAt: DAY }]],
      closed: ["B/earn_points", "R/reverse_points", "S/reverse_points"],
    });
    expect(changesOf("loyalty-A", "PointsEarned", { ...earned, posting: null }).opened).toStrictEqual([]);
    const followed = ["F", [], accepted()];
    const departed = accepted({ accountId: "A", ...facts });
    expect(playOpened("booking-B", "BookingCreated", created, ...followed, departed, accepted()).steps).toStrictEqual([
      ...following,
      depart,
      "points:departed",
      ["loyalty-A", { type: "PostBooking", accountId: "A", bookingId: "B", ...facts }],
      "points:posted",
    ]);
    const notFlown = playOpened("booking-B", "BookingCreated", created, ...followed, accepted(undefined));
    expect(notFlown.steps).toStrictEqual([...following, depart, "points:departed"]);
  });

  test("a refund after departure takes points back", () => {
    const { opened } = changesOf("booking-B", "RefundStarted", refunded);
    expect(opened).toContainEqual([
      "R/reverse_points",
      { kind: "reverse_points", bookingId: "B", refundId: "R", dueAt: FOLLOW_UP_GRACE },
    ]);
    expect(changesOf("booking-B", "RefundStarted", { ...refunded, departed: undefined }).opened).toHaveLength(1);
    expect(changesOf("loyalty-A", "PointsReversed", { refundIds: ["R"] }).closed).toStrictEqual(["R/reverse_points"]);
  });

  test("points expire", () => {
    const adjusted = { accountId: "A", adjustmentId: "J", expiresAt: 4 };
    expect(changesOf("loyalty-A", "PointsAdjusted", adjusted).opened).toStrictEqual([
      ["A/4/expire_points", { kind: "expire_points", accountId: "A", dueAt: 4 }],
    ]);
    expect(changesOf("loyalty-A", "PointsAdjusted", { ...adjusted, expiresAt: null }).opened).toStrictEqual([]);
    expect(changesOf("loyalty-A", "PointsExpired", adjusted).closed).toStrictEqual(["A/4/expire_points"]);
    expect(playOpened("loyalty-A", "PointsAdjusted", adjusted, accepted()).steps).toStrictEqual([
      ["loyalty-A", { type: "ExpirePoints", accountId: "A" }],
    ]);
  });
});

describe("redeem", () => {
  const open = { accountId: "A", redemptionId: "R", bookingId: "B" };
  const close = ["booking-B", { type: "CloseRedemption", redemptionId: "R" }];
  const complete = (banked: number) => [
    "loyalty-A",
    { type: "CompleteRedemption", accountId: "A", redemptionId: "R", banked },
  ];
  const free = (code: string) => ["loyalty-A", { type: "FreePoints", accountId: "A", redemptionId: "R", code }];

  test("points set aside are taken or freed", () => {
    expect(changesOf("loyalty-A", "PointsSetAside", open).opened).toStrictEqual([
      ["R/finish_redemption", { kind: "finish_redemption", ...open, dueAt: RECOVERY_GRACE }],
    ]);
    for (const type of ["PointsRedeemed", "PointsFreed"]) {
      expect(changesOf("loyalty-A", type, open)).toStrictEqual({ opened: [], closed: ["R/finish_redemption"] });
    }
  });

  test("freed, once the booking is closed against the redemption", () => {
    const freed = playOpened("loyalty-A", "PointsSetAside", open, accepted(undefined), accepted("freed"));
    expect(freed.steps).toStrictEqual([close, "redeem:closed", free("redemption_given_up"), "redeem:freed"]);
    expect(freed.result).toBe("freed");
    const refused = play(finishRedemption(open, "booking_not_found"), rejected("booking_not_found"), accepted());
    expect(refused.steps).toContainEqual(free("booking_not_found"));
  });

  test("taken, where the booking has the reward; credit it has no use for is banked", () => {
    const given = { reward: "lounge_access", amount: 0 };
    expect(playOpened("loyalty-A", "PointsSetAside", open, accepted(given), accepted()).steps).toStrictEqual([
      close,
      "redeem:closed",
      complete(0),
      "redeem:completed",
    ]);
    const credit = completeRedemption(open, { redemptionId: "R", reward: "booking_credit", amount: 4_000 });
    expect(play(credit, accepted()).steps[0]).toStrictEqual(complete(6_000));
  });
});

describe("points spent on a booking that a disruption of its flight ends", () => {
  const cancelled = { pointsBackTo: "A" };
  const task = { kind: "return_points", accountId: "A", bookingId: "B", dueAt: 0 } as const;

  test("come back in one adjustment, which has the booking's id", () => {
    expect(changesOf("booking-B", "BookingCancelled", cancelled).opened).toContainEqual(["B/return_points", task]);
    expect(changesOf("booking-B", "BookingCancelled", {}).opened.map(([key]) => key)).not.toContain("B/return_points");
    const adjusted = { accountId: "A", adjustmentId: "B", expiresAt: null };
    expect(changesOf("loyalty-A", "PointsAdjusted", adjusted).closed).toStrictEqual(["B/return_points"]);
    const reason = "Given back: booking B was cancelled in a disruption of its flight";
    expect(play(sagaOf(task), ["R"], 8_000, accepted()).steps).toStrictEqual([
      ["booking-B"],
      ["loyalty-A"],
      ["loyalty-A", { type: "AdjustPoints", accountId: "A", adjustmentId: "B", points: 8_000, reason }],
      "points:returned",
    ]);
  });
});

describe("credit", () => {
  const claimed = { accountId: "A", bookingId: "B" };
  const abandon = ["booking-B", { type: "AbandonBooking", bookingId: "B" }];
  const returned = ["loyalty-A", { type: "ReturnClaim", ...claimed }];

  test("a claim waits for a booking that uses it", () => {
    expect(changesOf("loyalty-A", "CreditClaimed", claimed).opened).toStrictEqual([
      ["B/settle_credit_claim", { kind: "settle_credit_claim", ...claimed, dueAt: RECOVERY_GRACE }],
    ]);
    const created = { departsAt: 9, expiresAt: null };
    const used = changesOf("booking-B", "BookingCreated", { ...created, creditApplied: 5 });
    expect(used.closed).toContain("B/settle_credit_claim");
    const unused = changesOf("booking-B", "BookingCreated", { ...created, creditApplied: 0 });
    expect(unused.closed).not.toContain("B/settle_credit_claim");
    expect(changesOf("loyalty-A", "CreditReturned", { creditId: "C", bookingId: "B" }).closed).toStrictEqual([
      "B/settle_credit_claim",
      "C/return_credit",
    ]);
  });

  test.each([
    ["back where there is no booking", [accepted(), accepted()], [abandon, "credit:abandoned", returned]],
    [
      "back where it was made without",
      [rejected("x"), false, accepted()],
      [abandon, ["booking-B"], "credit:abandoned", returned],
    ],
    ["nowhere where it is used", [rejected("x"), true], [abandon, ["booking-B"]]],
  ])("the claim goes %s", (_, answers, steps) => {
    expect(playOpened("loyalty-A", "CreditClaimed", claimed, ...answers).steps).toStrictEqual(steps);
  });

  test.each(["BookingChanged", "CabinUpgraded", "BookingCancelled"])("credit that %s gives up is banked", (type) => {
    const creditGivenUp = { accountId: "A", creditId: "C", amount: 5 };
    const { opened } = changesOf("booking-B", type, { creditGivenUp });
    expect(opened).toContainEqual([
      "C/return_credit",
      { kind: "return_credit", bookingId: "B", accountId: "A", creditId: "C", amount: 5, dueAt: 0 },
    ]);
    expect(changesOf("booking-B", type, {}).opened.map(([key]) => key)).not.toContain("C/return_credit");
  });
});

describe("review a document", () => {
  const task = { kind: "review_document", bookingId: "B", documentId: "D", accountId: "A", dueAt: 0 };
  const record = (reading: object) => ["booking-B", { type: "RecordDocumentReading", documentId: "D", reading }];
  const unreadable = { outcome: "unreadable", documentCode: null };
  const document = { documentId: "D", awaits: "reviewer" };
  const waiting = { document, names: ["Ada"] };

  test("an upload is due at once, until it is decided", () => {
    for (const type of ["DocumentUploaded", "DocumentReopened"])
      expect(changesOf("booking-B", type, { documentId: "D" }).opened).toStrictEqual([["D/review_document", task]]);
    for (const type of ["DocumentVerified", "DocumentRejected", "DocumentLeftToOperator"]) {
      expect(changesOf("booking-B", type, { documentId: "D" })).toStrictEqual({
        opened: [],
        closed: ["D/review_document"],
      });
    }
  });

  test("its file is read and the booking decides", () => {
    const reading = { outcome: "read" };
    const read = play(reviewDocument("B", "D", 2), waiting, reading, accepted("verified"));
    expect(read.result).toBe("verified");
    expect(read.steps).toStrictEqual([
      ["booking-B"],
      ["readDocument", document, ["Ada"], 2],
      "review:read",
      record(reading),
      "review:recorded",
    ]);
  });

  test.each([
    ["that is not waiting is not read", [undefined, accepted("settled")], "settled"],
    ["that can't be read is left to an operator", [waiting, undefined, accepted("operator")], "failed"],
    ["that can't be read and was decided meanwhile is settled", [waiting, undefined, accepted("settled")], "settled"],
  ])("one %s", (_, answers, outcome) => {
    const { steps, result } = play(reviewDocument("B", "D", 1), ...answers);
    expect(result).toBe(outcome);
    expect(steps).toContainEqual(record(unreadable));
  });

  test("one that is not on its booking is an error", () => {
    expect(() => play(reviewDocument("B", "D", 1), undefined, rejected("document_not_found"))).toThrow("is not on its");
  });
});

test("an event that concerns no process changes nothing, and none opens what it closes", () => {
  expect(changesOf("flight-F", "FareChanged", {})).toStrictEqual(NONE);
  for (const { tasks } of PROCESSES) {
    for (const { openedBy, closedBy } of tasks) {
      // Which of the two a revised case does depends on what it says.
      const types = Object.keys(openedBy).filter((type) => type !== "CaseRevised");
      expect(types.filter((type) => type in closedBy)).toStrictEqual([]);
    }
  }
});

describe("move to another flight", () => {
  const placed = { bookingId: "B", moveId: "M" };
  const close = ["booking-B", { type: "CloseSeatChange", changeId: "M" }];
  const release = { type: "ReleaseAllocation", ...placed };

  test("places that a booking would move to open a task of their own, which a release because of the move closes", () => {
    expect(changesOf("flight-G", "SeatsAllocated", placed).opened).toStrictEqual([
      ["M/finish_move", { kind: "finish_move", flightId: "G", ...placed, dueAt: RECOVERY_GRACE }],
    ]);
    const { closed } = changesOf("flight-F", "AllocationReleased", placed);
    expect(closed).toContain("M/finish_move");
    expect(closed).not.toContain("B/release_seats");
  });

  test("the booking is closed against it first; then the flight is left that it has left, or the one that it has not taken", () => {
    const left = { flightId: "F", placedBy: "L" };
    expect(playOpened("flight-G", "SeatsAllocated", placed, accepted(left), accepted()).steps).toStrictEqual([
      close,
      ["flight-F", { ...release, placedBy: "L" }],
    ]);
    expect(playOpened("flight-G", "SeatsAllocated", placed, accepted(), accepted()).steps).toStrictEqual([
      close,
      ["flight-G", { ...release, placedBy: "M", undone: true }],
    ]);
  });

  describe("by the sweep", () => {
    const change = { kind: "cancelled", disruptionId: "D", revision: 1, policy: "move", into: ["G", "H"] };
    const moving = { bookingId: "B", accountId: "A", flightId: "F", caseId: "C", revision: 1 };
    const mover = { bookingId: "B", from: "LEO" };
    const allocate = (flightId: string) => [
      `flight-${flightId}`,
      { type: "AllocateMove", ...mover, moveId: "cmd", seats: [], holdId: null },
    ];
    const begun = { disruptionId: "D" };
    const found = accepted({ flightId: "F", changes: [change], bookings: [["B"]] });
    const until = [["flight-F", { type: "ExpireHolds" }], ["booking-B"], ["flight-F"]];
    const sweep = (...answers: readonly unknown[]) =>
      playOpened("flight-F", "FlightCancelled", begun, found, 1, false, accepted(), ...answers).steps.slice(
        until.length + 1,
      );
    const awaited = { moving, policy: "move", into: change.into };
    const end = [
      "disrupt:followed",
      ["flight-F", { type: "EndDisruption", disruptionId: "D", revision: 1, stuck: [] }],
    ];

    test("to the first flight with room; where none has, the money goes back", () => {
      const places = { moveId: "cmd", flightId: "H" };
      const decide = { type: "MoveBooking", accountId: "A", caseId: "C", revision: 1, ...places };
      const closing = ["booking-B", { type: "CloseSeatChange", changeId: "cmd" }];
      const leave = ["flight-F", { type: "ReleaseAllocation", bookingId: "B", moveId: "cmd", placedBy: undefined }];
      const full = rejected("flight_sold_out");
      const ends = [accepted({ flightId: "F" }), accepted(), accepted()];
      expect(sweep(awaited, mover, full, accepted(places), accepted(), ...ends)).toStrictEqual([
        ["booking-B"],
        ["flight-F"],
        allocate("G"),
        allocate("H"),
        "move:allocated",
        ["booking-B", decide],
        "move:decided",
        closing,
        leave,
        "move:finished",
        ...end,
      ]);
      const refund = { type: "AnswerCase", accountId: "A", caseId: "C", revision: 1, answer: "refund" };
      expect(sweep(awaited, mover, full, full, accepted(), accepted())).toStrictEqual([
        ["booking-B"],
        ["flight-F"],
        allocate("G"),
        allocate("H"),
        ["booking-B", refund],
        ...end,
      ]);
      expect(sweep(undefined, accepted())).toStrictEqual([["booking-B"], ...end]);
    });

    test("who is offered one is told of it, and nothing is kept", () => {
      const offered = { ...awaited, policy: "offer" };
      const times = { departsAt: 5, durationDays: 1 };
      const asked = { ...(allocate("G")[1] as object), moveId: "B", onlyAsked: true };
      const steps = [["booking-B"], ["flight-F"], ["flight-G", asked]];
      const offer = { type: "OfferFlight", accountId: "A", caseId: "C", revision: 1, flightId: "G", ...times };
      expect(sweep(offered, mover, accepted(times), accepted(), accepted())).toStrictEqual([
        ...steps,
        ["booking-B", offer],
        ...end,
      ]);
    });
  });
});

describe("disrupt a flight", () => {
  const begun = { disruptionId: "D" };
  const change = {
    disruptionId: "D",
    kind: "cancelled",
    revision: 1,
    policy: "refund",
    reason: null,
    at: 0,
    before: { departsAt: 1, durationDays: 1 },
    after: null,
  };
  const changes = [change];
  const onBoard = (...bookingIds: readonly string[]) =>
    accepted({ flightId: "F", changes, bookings: bookingIds.map((bookingId) => [bookingId]) });
  const follow = (bookingId: string) => [`booking-${bookingId}`, { type: "FollowFlight", flightId: "F", changes }];
  const holds = ["flight-F", { type: "ExpireHolds" }];
  /** Whether the flight has moved on. */
  const look = ["flight-F"];
  const end = (...stuck: readonly string[]) => [
    "flight-F",
    { type: "EndDisruption", disruptionId: "D", revision: 1, stuck },
  ];
  const sweep = (...answers: readonly unknown[]) => playOpened("flight-F", "FlightCancelled", begun, ...answers).steps;

  test("the sweep is on a list of its own until it is paused or has ended", () => {
    const task = ["D/sweep_disruption", { kind: "sweep_disruption", flightId: "F", disruptionId: "D", dueAt: 0 }];
    for (const type of ["FlightCancelled", "FlightReinstated", "DisruptionResumed"]) {
      expect(changesOf("flight-F", type, begun).opened).toStrictEqual([task]);
    }
    for (const type of ["DisruptionPaused", "DisruptionEnded"]) {
      expect(changesOf("flight-F", type, begun).closed).toStrictEqual(["D/sweep_disruption"]);
    }
    expect(partitionOf("D/sweep_disruption")).toBe("sweeps");
  });

  test("records what is left of the holds, then confirmed bookings follow by when they were, then the rest", () => {
    const found = onBoard("PENDING", "LATE", "EARLY", "OVER");
    const ranks = [Number.MAX_SAFE_INTEGER, 9, 2, "followed"];
    const steps = sweep(accepted("more"), found, ...ranks, false, ...Array.from({ length: 4 }, () => accepted()));
    const reads = ["PENDING", "LATE", "EARLY", "OVER"].map((id) => [`booking-${id}`]);
    const following = ["EARLY", "LATE", "PENDING"].flatMap((id) => [follow(id), "disrupt:followed"]);
    expect(steps).toStrictEqual([holds, holds, ...reads, look, ...following, end()]);
  });

  test("who may answer and does not is decided for when the time is over", () => {
    const told = { caseId: "C", kind: "cancelled", after: null, respondBy: 7, onSilence: "refund" };
    const task = ["C/end_silence", { kind: "end_silence", bookingId: "B", caseId: "C", dueAt: 7 }];
    for (const type of ["BookingDisrupted", "CaseRevised"]) {
      expect(changesOf("booking-B", type, told).opened).toStrictEqual([task]);
      expect(changesOf("booking-B", type, { ...told, onSilence: null }).opened).toStrictEqual([]);
    }
    expect(changesOf("booking-B", "CaseRevised", { ...told, onSilence: null }).closed).toContain("C/end_silence");
    expect(changesOf("booking-B", "CaseResolved", told).closed).toStrictEqual(["C/end_silence"]);
    expect(playOpened("booking-B", "BookingDisrupted", told, "F", [], accepted()).steps).toStrictEqual(following);
  });

  test("nobody follows where it is paused or over", () => {
    expect(sweep(accepted(undefined))).toStrictEqual([holds]);
  });

  test("a booking that fails ten times is listed and holds up nobody", () => {
    const broken = new Error("broken");
    const round = (...left: readonly unknown[]) => [onBoard("BAD", "GOOD"), broken, ...left, false];
    const first = [...round(1), accepted(), broken, undefined, undefined];
    const again = [...round("followed"), broken, undefined, undefined];
    // After the last round nobody pauses.
    const answers = [...first, ...Array.from({ length: 9 }, () => again).flat()].with(-1, accepted());
    const steps = sweep(...answers);
    expect(steps.filter((step) => Array.isArray(step) && step[0] === "booking-GOOD" && step.length > 1)).toHaveLength(
      1,
    );
    expect(steps.filter((step) => Array.isArray(step) && step[0] === "booking-BAD" && step.length > 1)).toHaveLength(
      10,
    );
    expect(steps.filter((step) => Array.isArray(step) && step[0] === "pause")).toStrictEqual(
      Array.from({ length: 9 }, (_, index) => ["pause", 100 * 2 ** index]),
    );
    expect(steps.at(-1)).toStrictEqual(end("BAD"));
  });

  test("places without a booking are waited for", () => {
    expect(() => sweep(onBoard("NOBODY"), "undecided")).toThrow("flight F has places for 1 bookings");
  });

  test("every twenty bookings it lets requests have their turn, and looks whether it was paused", () => {
    const ids = Array.from({ length: 21 }, (_, index) => `B${index}`);
    const ranks = [...ids.keys()].toSpliced(20, 0, undefined as never);
    const answers = [onBoard(...ids), ...ranks, false, ...ids.slice(1).map(() => accepted()), true];
    const steps = sweep(...answers, undefined, accepted(undefined));
    expect(steps[21]).toStrictEqual(["pause", 0]);
    expect(steps.slice(-4)).toStrictEqual(["disrupt:followed", look, ["pause", 100], holds]);
  });

  test("where the flight has changed meanwhile, nobody follows what was, and it begins anew with all changes", () => {
    const answers = [onBoard("B"), 1, true, undefined];
    expect(sweep(...answers, accepted(undefined))).toStrictEqual([holds, ["booking-B"], look, ["pause", 100], holds]);
    const late = [onBoard("B"), "followed", accepted(true), accepted(undefined)];
    expect(sweep(...late)).toStrictEqual([holds, ["booking-B"], end(), holds]);
  });
});
