import { describe, expect, test } from "@jest/globals";
import {
  type BookingDisrupted,
  type BookingEvent,
  type BookingState,
  bookingDecider,
  bookingOf,
  cancellableUntil,
  cancellationQuote,
  caseIdOf,
  DAY,
  type ExistingBooking,
  erase,
  type FlightChange,
  type FlightTimes,
  fold,
  HOUR,
  MINUTE,
  mapWordsOfEvent,
  nextEventDueAt,
  type Retiming,
  verifiedByOperators,
} from "../../src/index.ts";
import {
  ACCOUNT,
  ADA,
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  confirmed,
  created,
  DEPARTS_AT,
  flightCancelled,
  given,
  NO_POINTS,
  paid,
  refundStarted,
  started,
  succeeded,
  T0,
  TOTAL,
  transferStarted,
} from "./fixtures.ts";

const AT = T0 + HOUR;
const tolerance = { earlier: HOUR, later: 3 * HOUR };
const disruptionOf = (revision: number) => `dis_${String(revision).padStart(12, "0")}`;
const timesAt = (departsAt: number): FlightTimes => ({ departsAt, durationDays: 480 });

/** The flight is moved from one departure to the next, one revision after another. */
function moves(...departures: readonly number[]): readonly Retiming[] {
  return departures.slice(1).map((departsAt, index) => ({
    disruptionId: disruptionOf(index + 1),
    kind: "retimed",
    revision: index + 1,
    reason: "storm",
    at: AT,
    tolerance,
    before: timesAt(departures[index] ?? 0),
    after: timesAt(departsAt),
  }));
}

const journey = (times: FlightTimes) =>
  ({ flightId: "flt_1", ...times, cabin: "economy", seats: ["10A", "10B"] }) as const;

function told(change: Retiming, significant: boolean, agreed = timesAt(DEPARTS_AT), at = AT): BookingEvent {
  const { disruptionId, kind, reason, revision: flightRevision, after } = change;
  const caseId = caseIdOf(BOOKING, change.revision);
  const facts = { caseId, disruptionId, kind, reason, flightRevision, significant };
  return { type: "BookingDisrupted", at, data: { ...facts, before: journey(agreed), after: journey(after) } };
}

const resolved = ({ revision }: Retiming, at = AT): BookingEvent => {
  const caseId = caseIdOf(BOOKING, revision);
  return { type: "CaseResolved", at, data: { caseId, outcome: null, refundAmount: 0 } };
};

/** The same, where the client may answer. */
function asked(change: Retiming): BookingEvent {
  const { data } = told(change, true) as BookingDisrupted;
  return { type: "BookingDisrupted", at: AT, data: { ...data, respondBy: AT + 7 * DAY, onSilence: "accept" } };
}

const departs = (departsAt: number, expiresAt?: number, at = AT): BookingEvent => {
  return { type: "DepartureMoved", at, data: { departsAt, ...(expiresAt !== undefined && { expiresAt }) } };
};

const follow = (changes: readonly Retiming[]) => ({ type: "FollowFlight", flightId: "flt_1", changes }) as const;
const bookingAfter = (events: readonly BookingEvent[], changes: readonly Retiming[], at = AT) => {
  const decided = bookingDecider.decide(follow(changes), fold(bookingDecider, events), at);
  return bookingOf(fold(bookingDecider, [...events, ...decided.events]), ACCOUNT) as ExistingBooking;
};
const significance = (...departures: readonly number[]) =>
  bookingAfter(paid(), moves(DEPARTS_AT, ...departures)).cases?.map((one) => [one.significant, one.status]);

describe("a booking whose flight departs at another time", () => {
  test("follows the newer of what it is sent and what is known here", () => {
    const changes = moves(DEPARTS_AT, DEPARTS_AT + DAY, DEPARTS_AT);
    const state = fold(bookingDecider, paid());
    const sent = bookingDecider.decide(follow(changes.slice(0, 1)), state, AT, () => changes);
    expect(sent).toStrictEqual(bookingDecider.decide(follow(changes), state, AT));
  });

  test("with another duration alone departs as ever", () => {
    const [change] = moves(DEPARTS_AT, DEPARTS_AT) as [Retiming];
    const longer = { ...change, after: { ...change.after, durationDays: 481 } };
    expect(bookingAfter(paid(), [longer]).formerDepartures).toBe(undefined);
  });

  test("minor: it is told, has nothing to answer, and departs then", () => {
    const [change] = moves(DEPARTS_AT, DEPARTS_AT + 3 * HOUR - 1) as [Retiming];
    given(paid())
      .when(follow([change]), AT)
      .then([told(change, false), resolved(change), departs(change.after.departsAt)]);
    given([...paid(), told(change, false), resolved(change), departs(change.after.departsAt)])
      .when(follow([change]), AT + 1)
      .then([]);
  });

  test("significant: its case stays open, and cancelling refunds everything until it is answered", () => {
    const departsAt = DEPARTS_AT + 3 * HOUR;
    const changes = moves(DEPARTS_AT, departsAt);
    const [change] = changes as [Retiming];
    given(paid())
      .when(follow(changes), AT)
      .then([asked(change), departs(departsAt)]);
    const booking = bookingAfter(paid(), changes);
    const until = Math.max(AT + 7 * DAY, departsAt - DAY);
    expect(cancellableUntil(booking)).toBe(until);
    expect(cancellationQuote(booking, until)).toStrictEqual({ refundAmount: TOTAL, credit: 0 });
    const unaware = bookingOf(fold(bookingDecider, paid()), ACCOUNT) as ExistingBooking;
    expect(cancellationQuote(unaware, departsAt - 1, changes)).toStrictEqual({ refundAmount: TOTAL, credit: 0 });
  });

  test("significant: the client accepts, has its money back, or says nothing, which accepts; what was agreed is the new time then", () => {
    const departsAt = DEPARTS_AT + 3 * HOUR;
    const known = { ...bookingAfter(paid(), moves(DEPARTS_AT, departsAt)) };
    const answering = (answer: "accept" | "refund") =>
      bookingDecider.decide(
        { type: "AnswerCase", accountId: ACCOUNT, caseId: caseIdOf(BOOKING, 1), revision: 1, answer },
        structuredClone(known),
        AT + 1,
      ).events;
    const silent = bookingDecider.decide({ type: "ExpireBooking" }, structuredClone(known), AT + 7 * DAY).events;
    const outcome = (refundAmount: number, word: "accepted" | "refunded", at: number): BookingEvent => {
      return { type: "CaseResolved", at, data: { caseId: caseIdOf(BOOKING, 1), outcome: word, refundAmount } };
    };
    expect(answering("accept")).toStrictEqual([outcome(0, "accepted", AT + 1)]);
    expect(silent).toStrictEqual([outcome(0, "accepted", AT + 7 * DAY)]);
    expect(answering("refund")).toStrictEqual([
      outcome(TOTAL, "refunded", AT + 1),
      cancelled(AT + 1),
      refundStarted(AT + 1, CARD_PAYMENT, CARD_REFUND, TOTAL, "other", null, NO_POINTS),
    ]);
    const accepted = [...silent].reduce<BookingState>(bookingDecider.evolve, structuredClone(known));
    const [next] = moves(departsAt, departsAt + 2 * HOUR) as [Retiming];
    const { events } = bookingDecider.decide(follow([{ ...next, revision: 2 }]), accepted, AT + 8 * DAY);
    expect(events.map(({ data }) => "significant" in data && [data.significant, data.caseId])).toContainEqual([
      false,
      caseIdOf(BOOKING, 2),
    ]);
  });

  test("earlier: an hour is minor, more is significant", () => {
    expect(significance(DEPARTS_AT - HOUR)).toStrictEqual([[false, "resolved"]]);
    expect(significance(DEPARTS_AT - HOUR - 1)).toStrictEqual([[true, "open"]]);
  });

  test("a creeping delay: three delays of two hours are six, measured against what was agreed", () => {
    const [two, four, six] = [2, 4, 6].map((hours) => DEPARTS_AT + hours * HOUR) as [number, number, number];
    expect(significance(two)).toStrictEqual([[false, "resolved"]]);
    expect(significance(two, four)).toStrictEqual([
      [false, "resolved"],
      [true, "open"],
    ]);
    const [open] = bookingAfter(paid(), moves(DEPARTS_AT, two, four, six)).cases?.slice(1) ?? [];
    expect([open?.revision, open?.before, open?.after]).toStrictEqual([
      2,
      journey(timesAt(DEPARTS_AT)),
      journey(timesAt(six)),
    ]);
  });

  test("a creeping delay that is taken back leaves nothing to answer", () => {
    const booking = bookingAfter(paid(), moves(DEPARTS_AT, DEPARTS_AT + 4 * HOUR, DEPARTS_AT));
    expect(booking.cases?.map((one) => [one.revision, one.significant, one.status])).toStrictEqual([
      [2, false, "resolved"],
    ]);
  });

  test("arriving three hours later is significant, too", () => {
    const [change] = moves(DEPARTS_AT, DEPARTS_AT) as [Retiming];
    const longer = { ...change, after: { departsAt: DEPARTS_AT, durationDays: 480.125 } };
    given(paid())
      .when(follow([longer]), AT)
      .then([asked(longer), departs(DEPARTS_AT)]);
  });

  test("unpaid: it is told, has nothing to answer, and paying accepts", () => {
    const changes = moves(DEPARTS_AT, DEPARTS_AT + 2 * HOUR, DEPARTS_AT + 4 * HOUR);
    const [two, four] = changes as [Retiming, Retiming];
    const before = [created(), told(two, false), resolved(two), departs(DEPARTS_AT + 2 * HOUR, T0 + DAY)];
    given([created()])
      .when(follow(changes), AT)
      .then([...before.slice(1), told(four, true), resolved(four), departs(DEPARTS_AT + 4 * HOUR, T0 + DAY)]);
    const paying = [started(AT), succeeded(AT), confirmed(AT)];
    expect(bookingAfter([...before, ...paying], changes).cases?.at(-1)?.before).toStrictEqual(
      journey(timesAt(DEPARTS_AT + 2 * HOUR)),
    );
  });

  test("cancelling stays free until the day before the latest of its departures, at most until the present one", () => {
    const free = (...departures: readonly number[]) =>
      cancellableUntil(bookingAfter(paid(), moves(DEPARTS_AT, ...departures)));
    expect(free(DEPARTS_AT + 2 * HOUR)).toBe(DEPARTS_AT + 2 * HOUR - DAY);
    expect(free(DEPARTS_AT - HOUR)).toBe(DEPARTS_AT - DAY);
    expect(free(DEPARTS_AT + 2 * HOUR, DEPARTS_AT - HOUR)).toBe(DEPARTS_AT + 2 * HOUR - DAY);
    const late = bookingAfter([created({ departsAt: T0 + 3 * DAY })], moves(T0 + 3 * DAY, T0 + DAY + HOUR));
    expect(cancellableUntil(late)).toBe(T0 + DAY + HOUR);
  });
});

describe("a flight that is retimed, cancelled, and reinstated", () => {
  const at = DEPARTS_AT - 5 * HOUR;
  const [retimed] = moves(DEPARTS_AT, DEPARTS_AT + 4 * HOUR).map((change) => ({ ...change, at })) as [Retiming];
  const times = retimed.after;
  const disruptionId = disruptionOf(2);
  const cancelling = flightCancelled({ disruptionId, revision: 2, policy: "offer", at: at + HOUR, before: times });
  const facts = { kind: "reinstated", before: null, after: times } as const;
  // Later than the retiming could be answered.
  const backAt = at + 2.5 * HOUR;
  const back: FlightChange = { disruptionId, reason: null, ...facts, revision: 3, at: backAt };
  const changes = [retimed, cancelling, back];
  const following = (count: number) =>
    ({ type: "FollowFlight", flightId: "flt_1", changes: changes.slice(0, count) }) as const;
  const hear = (events: readonly BookingEvent[], count: number, heardAt: number) => {
    const state = fold(bookingDecider, events);
    return [...events, ...bookingDecider.decide(following(count), state, heardAt).events];
  };
  const unaware = hear(paid(), 1, at);
  const aware = hear(unaware, 2, at + HOUR);
  const answer = { respondBy: backAt + 2 * HOUR, onSilence: "accept" } as const;
  const data = { ...(told(retimed, true) as BookingDisrupted).data, ...answer, flightRevision: 3 };
  const restored: BookingEvent = { type: "CaseRevised", at: backAt, data };

  test("its case is again that of the new departure, and there is time to answer it as if it were told now", () => {
    given(aware).when(following(3), backAt).then([restored]);
  });

  test("who heard of the cancellation and who did not have their money back alike, until silence accepts", () => {
    const cancel = { type: "CancelBooking", accountId: ACCOUNT, reason: null, changes } as const;
    const outcome = (word: "accepted" | "refunded", refundAmount: number, at: number): BookingEvent => {
      return { type: "CaseResolved", at, data: { caseId: caseIdOf(BOOKING, 1), outcome: word, refundAmount } };
    };
    for (const [events, silentAt] of [
      [unaware, at + 2 * HOUR],
      [[...aware, restored], backAt + 2 * HOUR],
    ] as const) {
      const inTime = silentAt - 1;
      const refund = ["booking_cancelled", null, NO_POINTS] as const;
      given(events)
        .when(cancel, inTime)
        .then([
          outcome("refunded", TOTAL, inTime),
          cancelled(inTime),
          refundStarted(inTime, CARD_PAYMENT, CARD_REFUND, TOTAL, ...refund),
        ]);
      given(events)
        .when(cancel, silentAt)
        .then([outcome("accepted", 0, silentAt), cancelled(silentAt, "requested", null, { keepsPoints: true })]);
    }
  });
});

describe("the time to pay", () => {
  const expiry = (departsAt: number, at = AT) => {
    const booking = bookingAfter([created()], moves(DEPARTS_AT, departsAt), at);
    return nextEventDueAt(booking);
  };

  test("of a pending booking ends two hours before the new departure, and in 15 minutes at the earliest", () => {
    expect(expiry(DEPARTS_AT + DAY)).toBe(T0 + DAY);
    expect(expiry(T0 + 10 * HOUR)).toBe(T0 + 8 * HOUR);
    expect(expiry(AT + 2 * HOUR)).toBe(AT + 15 * MINUTE);
    const soon = created({ departsAt: T0 + 4 * HOUR, expiresAt: T0 + 2 * HOUR });
    expect(nextEventDueAt(bookingAfter([soon], moves(T0 + 4 * HOUR, T0 + 9 * HOUR)))).toBe(T0 + 7 * HOUR);
  });

  test("a pending booking that had lapsed before its flight was moved stays lapsed; one since then has the new time", () => {
    const [change] = moves(T0 + 4 * HOUR, T0 + 9 * HOUR) as [Retiming];
    const soon = created({ departsAt: T0 + 4 * HOUR, expiresAt: T0 + 2 * HOUR });
    const at = T0 + 3 * HOUR;
    given([soon])
      .when(follow([{ ...change, at }]), at)
      .then([cancelled(at, "expired")]);
    expect(bookingAfter([soon], [change], at).status).toBe("pending");
  });

  test("of a transfer stays where the departure is later, and ends two hours before an earlier one", () => {
    const transferred = [created(), transferStarted(T0)];
    const due = (departsAt: number) => {
      const booking = bookingAfter(transferred, moves(DEPARTS_AT, departsAt));
      const [payment] = booking.payments;
      expect(payment?.method.type === "bank_transfer" && payment.method.bankTransfer.dueAt).toBe(
        nextEventDueAt(booking),
      );
      return nextEventDueAt(booking);
    };
    expect(due(DEPARTS_AT + DAY)).toBe(T0 + 3 * DAY);
    expect(due(T0 + 4 * DAY)).toBe(T0 + 3 * DAY);
    expect(due(T0 + 2 * DAY)).toBe(T0 + 2 * DAY - 2 * HOUR);
  });
});

test("a charge that is barred leaves a retimed booking as it is: unpaid, until its time to pay is over", () => {
  const changes = moves(DEPARTS_AT, T0 + 10 * HOUR);
  const charging = [created(), started(T0 + 1)];
  const moved = bookingDecider.decide(follow(changes), fold(bookingDecider, charging), AT).events;
  const barred = { type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome: { status: "barred" } } as const;
  const decide = (at: number) =>
    bookingDecider.decide(barred, fold(bookingDecider, [...charging, ...moved]), at).events.map(({ type }) => type);
  expect(decide(T0 + 8 * HOUR - 1)).toStrictEqual(["PaymentFailed"]);
  expect(decide(T0 + 8 * HOUR)).toStrictEqual(["PaymentFailed", "BookingCancelled"]);
});

describe("passports of a retimed booking", () => {
  const uploadedAs = (documentId: string): BookingEvent => {
    const file = { fileName: "scan.pdf", contentType: "application/pdf", sizeBytes: 1, sha256: documentId } as const;
    return { type: "DocumentUploaded", at: T0, data: { documentId, uploadId: `upl_${documentId}`, ...file } };
  };
  const uploaded = uploadedAs("doc_1");
  const read = (expiresOn: string) => ({ name: "LOVELACE/ADA", expiresOn, number: "L898902C" });
  const verified = (about: object = {}): BookingEvent => {
    const data = { documentId: "doc_1", kind: "passport", passengers: [0], ...about } as const;
    return { type: "DocumentVerified", at: T0, data };
  };
  const rejected = (reason: string, about: object = {}): BookingEvent => {
    const data = { documentId: "doc_1", kind: "passport", reason, ...about } as const;
    return { type: "DocumentRejected", at: AT, data };
  };
  const reopened: BookingEvent = { type: "DocumentReopened", at: AT, data: { documentId: "doc_1" } };
  const left: BookingEvent = {
    type: "DocumentLeftToOperator",
    at: T0,
    data: { documentId: "doc_1", kind: "passport" },
  };
  /** DEPARTS_AT is the second of February, so that this one is valid for long enough until then. */
  const ENDS = "2027-08-02";
  const TOO_SHORT = "The document must be valid until 2027-08-03 at least, six months after departure.";
  const judged = (departsAt: number, ...documents: readonly BookingEvent[]) => {
    const state = fold(bookingDecider, [...paid(), ...documents]);
    const { events } = bookingDecider.decide(follow(moves(DEPARTS_AT, departsAt)), state, AT);
    return events.filter(({ type }) => type.startsWith("Document"));
  };
  const LATER = DEPARTS_AT + DAY;

  test("one that gets too short is rejected, with the reason, and not as by an operator", () => {
    const documents = [uploaded, verified({ read: read(ENDS) })];
    expect(judged(LATER, ...documents)).toStrictEqual([rejected(TOO_SHORT, { byOperator: false })]);
    expect(judged(DEPARTS_AT - DAY, ...documents)).toStrictEqual([]);
    const booking = bookingAfter([...paid(), ...documents], moves(DEPARTS_AT, LATER));
    const [document] = booking.documents;
    expect([document?.status, document?.rejectionReason, document?.decidedByOperator]).toStrictEqual([
      "rejected",
      TOO_SHORT,
      false,
    ]);
  });

  test("one whose expiry a former release did not record is read again, where that may matter", () => {
    const former = [uploaded, verified({ zoneName: "LOVELACE/ADA" })];
    expect(judged(LATER, ...former)).toStrictEqual([reopened]);
    expect(judged(DEPARTS_AT - DAY, ...former)).toStrictEqual([]);
    const [document] = bookingAfter([...paid(), ...former], moves(DEPARTS_AT, LATER)).documents;
    expect([document?.status, document?.awaits]).toStrictEqual(["pending", "reviewer"]);
  });

  test("one that was too short and would do now is read again; one that was rejected for its name is not", () => {
    const documents = [uploaded, rejected(TOO_SHORT, { read: read("2027-08-01") })];
    expect(judged(DEPARTS_AT - DAY, ...documents)).toStrictEqual([reopened]);
    expect(judged(DEPARTS_AT - HOUR, ...documents)).toStrictEqual([]);
    expect(judged(DEPARTS_AT - DAY, uploaded, rejected("wrong name", { read: read("2030-01-01") }))).toStrictEqual([]);
  });

  test("those that an operator has verified are counted", () => {
    const after = (...documents: readonly BookingEvent[]) =>
      verifiedByOperators(bookingAfter([...paid(), ...documents], moves(DEPARTS_AT, LATER)));
    expect(after(uploaded, left, verified())).toBe(1);
    expect(after(uploaded, verified({ read: read("2030-01-01") }))).toBe(0);
    expect(after(uploaded, rejected(TOO_SHORT, { byOperator: true }))).toBe(0);
  });

  test.each<[string, readonly BookingEvent[]]>([
    ["an operator's verdict", [uploaded, left, verified()]],
    ["an operator's verdict before the review", [uploaded, verified()]],
    ["an operator's rejection", [uploaded, rejected(TOO_SHORT, { byOperator: true, read: read("2027-08-01") })]],
    ["one that nobody has decided on", [uploaded]],
    [
      "one of an erased account, whose bookings have no event of it",
      [uploaded, verified({ read: read(ENDS) })].map(
        (event) => ({ ...event, data: mapWordsOfEvent(event.type, event.data, erase) }) as BookingEvent,
      ),
    ],
    [
      "one of a booking that is erased",
      [uploaded, verified({ read: read(ENDS) }), { type: "BookingErased", at: T0, data: { bookingId: BOOKING } }],
    ],
  ])("stands: %s", (_, documents) => {
    expect([...judged(LATER, ...documents), ...judged(DEPARTS_AT - DAY, ...documents)]).toStrictEqual([]);
  });

  test("read again, one keeps its holder, whoever else has that name", () => {
    const party = created({ passengers: [ADA, ADA] });
    const former = { documentId: "doc_1", kind: "passport", passengers: [1], zoneName: "LOVELACE/ADA" } as const;
    const events: BookingEvent[] = [party, uploaded, { type: "DocumentVerified", at: T0, data: former }, reopened];
    const zone = {
      documentCode: "P",
      surname: ["LOVELACE"],
      givenNames: ["ADA"],
      namesCutOff: false,
      expiresOn: "300101",
      number: "L898902C",
    };
    const names = [ADA, ADA].map(({ name }) => ({ name, match: "all" as const }));
    const reading = { outcome: "read", source: "text", zone, names } as const;
    given(events)
      .when({ type: "RecordDocumentReading", documentId: "doc_1", reading }, AT)
      .then([{ ...verified({ passengers: [1], zoneName: "LOVELACE/ADA", read: read("2030-01-01") }), at: AT }]);
  });
});
