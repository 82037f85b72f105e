import { describe, expect, test } from "@jest/globals";
import {
  type AccountEvent,
  accountDecider,
  type BookingErased,
  type BookingEvent,
  type BookingPassengerErased,
  isCredentialActive,
  isExistingBooking,
  isSettled,
  type PassengerErased,
  passengerDecider,
  passportChecks,
  withWords,
  wordsWithout,
} from "../../src/index.ts";
import {
  ADA,
  BOB,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  created,
  DEPARTS_AT,
  given,
  paid,
  paidByTransfer,
  refundStarted,
  returnDue,
  started,
  T0,
} from "../booking/fixtures.ts";
import { accountId, changed, deleted, FIRST, passengerId, created as profile } from "../passenger/sample-passenger.ts";
import { specification } from "../shared/specification.ts";

const ERASE = { type: "EraseBooking", again: false } as const;

describe("erasing a booking (docs/privacy.md#erasing)", () => {
  const bookingId = created().data.bookingId;
  const erased = (at: number): BookingErased => ({ type: "BookingErased", at, data: { bookingId } });

  test("that is cancelled or flown; a second time changes nothing", () => {
    given([created(), cancelled(T0 + 50)])
      .when(ERASE, T0 + 100)
      .then([erased(T0 + 100)]);
    given(paid())
      .when(ERASE, DEPARTS_AT)
      .then([erased(DEPARTS_AT)]);
    given([created(), cancelled(T0 + 50), erased(T0 + 100)])
      .when(ERASE, T0 + 200)
      .then([]);
  });

  test("is refused before, but not if it was erased before", () => {
    given(paid())
      .when(ERASE, DEPARTS_AT - 1)
      .thenRejected({ code: "booking_not_over" });
    given(paid())
      .when({ ...ERASE, again: true }, DEPARTS_AT - 1)
      .then([erased(DEPARTS_AT - 1)]);
    given([]).when(ERASE, T0).thenRejected({ code: "booking_not_found" });
  });

  test("ends its changes and uploads; what was uploaded before is known again", () => {
    const history = [...paid(), erased(DEPARTS_AT)];
    const { accountId } = created().data;
    const file = {
      uploadId: "upl_1",
      fileName: "a.pdf",
      contentType: "application/pdf",
      sizeBytes: 1,
      sha256: "00",
    } as const;
    const upload = { type: "UploadDocument", accountId, documentId: "doc_1", ...file } as const;
    given(history)
      .when(upload, DEPARTS_AT + 1)
      .thenRejected({ code: "booking_not_found" });
    const { type: _, accountId: __, ...data } = upload;
    const uploaded = { type: "DocumentUploaded", at: DEPARTS_AT, data } as const;
    given([...paid(), uploaded, erased(DEPARTS_AT)])
      .when(upload, DEPARTS_AT + 1)
      .then([]);
    for (const words of [{ reference: "R-2" }, { metadata: [["agent", "B"]] }] as const)
      given(history)
        .when({ type: "ChangeBooking", accountId, ...words }, DEPARTS_AT + 1)
        .thenRejected({ code: "booking_not_found" });
  });

  test("leaves its party's number, its money and its seats", () => {
    const history = [created({ metadata: [["agent", "A"]] }), ...paid().slice(1)];
    const [before, after] = [given(history).state(), given([...history, erased(DEPARTS_AT)]).state()];
    if (before.status !== "confirmed" || after.status !== "confirmed") throw new Error("a paid booking is confirmed");
    const passengers = before.passengers.map(() => ({ name: "[erased]", email: "erased@erased.invalid" }));
    const payments = before.payments.map((payment) => ({ ...payment, metadata: [["order", "[erased]"]] }));
    expect(after).toStrictEqual({
      ...before,
      passengers,
      payments,
      reference: before.reference === null ? null : "[erased]",
      metadata: [["agent", "[erased]"]],
      changesSize: 0,
      erased: true,
    });
  });
});

describe("erasing one of a party (docs/privacy.md#erasing)", () => {
  const bookingId = created().data.bookingId;
  const { accountId } = created().data;
  const FIRST_ONE = { ...ERASE, passenger: 0 };
  const NOBODY = { name: "[erased]", email: "erased@erased.invalid" };
  const nobody = [
    ["text", NOBODY.name],
    ["email", NOBODY.email],
  ] as const;
  const bob = [
    ["text", "Bob Noyce"],
    ["email", "bob@example.com"],
  ] as const;
  /** Of the payment. */
  const order = ["text", "7"] as const;
  const erased = (passenger: number, words: BookingPassengerErased["data"]["words"], at = DEPARTS_AT) =>
    ({ type: "BookingPassengerErased", at, data: { bookingId, passenger, words } }) as const;
  const read = { name: "NOYCE/BOB", expiresOn: "2040-01-01", number: "BN1" };
  const file = { contentType: "application/pdf", sizeBytes: 1, sha256: "00" } as const;
  const upload = (id: string): BookingEvent => ({
    type: "DocumentUploaded",
    at: T0 + 9,
    data: { documentId: `doc_${id}`, uploadId: `upl_${id}`, fileName: `${id}.pdf`, ...file },
  });
  const verified = (id: string, passengers: readonly number[]): BookingEvent => ({
    type: "DocumentVerified",
    at: T0 + 9,
    data: { documentId: `doc_${id}`, kind: "passport", passengers, read },
  });
  const documents = [upload("ada"), verified("ada", [0]), upload("bob"), verified("bob", [1]), upload("unknown")];

  test("leaves the others' words, and of documents those that are certainly theirs", () => {
    const history = [created({ reference: "R-1", metadata: [["agent", "A"]] }), ...documents, cancelled(T0 + 50)];
    const words = [
      ...[...nobody, ...bob],
      ["text", "R-1"],
      ...[nobody[0], nobody[0], ["date", "0001-01-01"], nobody[0], nobody[0]],
      ...[["text", "bob.pdf"], ["text", "NOYCE/BOB"], ["date", "2040-01-01"], ["text", "BN1"], bob[0]],
      ...[nobody[0], ["text", "A"]],
    ] as BookingPassengerErased["data"]["words"];
    const event = erased(0, words, T0 + 100);
    given(history)
      .when(FIRST_ONE, T0 + 100)
      .then([event]);
    const [before, after] = [given(history).state(), given([...history, event]).state()];
    if (!isExistingBooking(before) || !isExistingBooking(after)) throw new Error("it was created");
    const [ofAda, ofBob, unknown] = before.documents;
    const gone = { name: "[erased]", expiresOn: "0001-01-01", number: "[erased]" };
    expect(after).toStrictEqual({
      ...before,
      passengers: [NOBODY, BOB],
      documents: [
        { ...ofAda, fileName: "[erased]", read: gone, holders: [{ passenger: 0, name: "[erased]" }] },
        ofBob,
        { ...unknown, fileName: "[erased]" },
      ],
      changesSize: 0,
      erased: [0],
    });
  });

  test("its documents alone: the party stays known, and no more of them are taken", () => {
    const ofDocuments = { ...ERASE, documents: true } as const;
    const history = [created({ reference: "R-1" }), ...documents, cancelled(T0 + 50)];
    given([created(), ...documents])
      .when(ofDocuments, T0 + 50)
      .thenRejected({ code: "booking_not_over" });
    const gone = [nobody[0], nobody[0], ["date", "0001-01-01"], nobody[0]] as const;
    const ada = ["text", ADA.name];
    const words = [ada, ["email", ADA.email], ...bob, ["text", "R-1"], ...gone, ada, ...gone, bob[0], nobody[0]];
    const event = {
      type: "BookingDocumentsErased",
      at: T0 + 100,
      data: { bookingId, words: words as BookingPassengerErased["data"]["words"] },
    } as const;
    given(history)
      .when(ofDocuments, T0 + 100)
      .then([event]);
    const [before, after] = [given(history).state(), given([...history, event]).state()];
    if (!isExistingBooking(before) || !isExistingBooking(after)) throw new Error("it was created");
    expect([after.passengers, after.reference, after.erased, after.documentsErased]).toStrictEqual([
      before.passengers,
      "R-1",
      undefined,
      true,
    ]);
    expect(after.documents.map(({ fileName, status }) => [fileName, status])).toStrictEqual([
      ["[erased]", "verified"],
      ["[erased]", "verified"],
      ["[erased]", "pending"],
    ]);
    expect(passportChecks(after).map(({ check }) => check)).toStrictEqual(["ok", "ok"]);
    const once = given([...history, event]);
    once.when(ofDocuments, T0 + 101).then([]);
    const late = { documentId: "doc_1", uploadId: "upl_1", fileName: "a", ...file };
    once.when({ type: "UploadDocument", accountId, ...late }, T0 + 101).thenRejected({ code: "booking_not_found" });
    const rejected = { type: "DocumentRejected", at: T0 + 101 } as const;
    once
      .when({ type: "RejectDocument", documentId: "doc_unknown", reason: "not Ada's" }, T0 + 101)
      .then([
        { ...rejected, data: { documentId: "doc_unknown", kind: "unknown", reason: "[erased]", byOperator: true } },
      ]);
  });

  test("who was verified stays verified, and who was not does not become it", () => {
    const changed: BookingEvent = {
      type: "BookingChanged",
      at: T0 + 10,
      data: { changeId: null, passengers: [ADA, { ...BOB, name: "Bo Noyce" }] },
    };
    const shared = [upload("both"), verified("both", [0, 1])];
    const checksWithout = (history: readonly BookingEvent[], forgotten: number | "documents") => {
      const state = given(history).state();
      if (!isExistingBooking(state)) throw new Error("it was created");
      const checks = passportChecks(withWords(state, wordsWithout(state, forgotten)));
      return checks.map(({ check, passport }) => [check, passport?.name]);
    };
    const left = [
      ["ok", ADA.name],
      ["ok", BOB.name],
    ];
    expect(checksWithout([created(), ...shared], "documents")).toStrictEqual(left);
    expect(checksWithout([created(), ...shared], 0)).toStrictEqual([["ok", NOBODY.name], left[1]]);
    expect(checksWithout([created(), ...shared, changed], "documents")).toStrictEqual([
      left[0],
      ["missing", undefined],
    ]);
  });

  test("is refused before its journey and for nobody; a second time, or after the whole booking, nothing changes", () => {
    given(paid())
      .when(FIRST_ONE, DEPARTS_AT - 1)
      .thenRejected({ code: "booking_not_over" });
    given(paid())
      .when({ ...ERASE, passenger: 2 }, DEPARTS_AT)
      .thenRejected({ code: "passenger_not_found" });
    const once = [...paid(), erased(0, [...nobody, ...bob, order])];
    given(once)
      .when(FIRST_ONE, DEPARTS_AT + 1)
      .then([]);
    given([...paid(), { type: "BookingErased", at: DEPARTS_AT, data: { bookingId } }])
      .when(FIRST_ONE, DEPARTS_AT + 1)
      .then([]);
  });

  test("is refused where the passenger has another name by now", () => {
    const words = [...nobody, ...bob, order];
    given(paid())
      .when({ ...FIRST_ONE, name: BOB.name }, DEPARTS_AT)
      .thenRejected({ code: "passenger_differs" });
    given(paid())
      .when({ ...FIRST_ONE, name: ADA.name }, DEPARTS_AT)
      .then([erased(0, words)]);
    given([...paid(), erased(0, words)])
      .when({ ...FIRST_ONE, name: ADA.name }, DEPARTS_AT + 1)
      .then([]);
  });

  test("can be done for each of them, and the booking as a whole after that", () => {
    const once = [...paid(), erased(0, [...nobody, ...bob, order])];
    const second = erased(1, [...nobody, ...nobody, order], DEPARTS_AT + 1);
    given(once)
      .when({ ...ERASE, passenger: 1 }, DEPARTS_AT + 1)
      .then([second]);
    const whole = { type: "BookingErased", at: DEPARTS_AT + 2, data: { bookingId } } as const;
    given([...once, second])
      .when(ERASE, DEPARTS_AT + 2)
      .then([whole]);
    expect(given([...once, second, whole]).state()).toMatchObject({ erased: true });
    expect(given([...once, second]).state()).toMatchObject({ erased: [0, 1] });
  });

  test("ends changes of words and uploads", () => {
    const once = given([...paid(), erased(0, [...nobody, ...bob, order])]);
    once
      .when({ type: "ChangeBooking", accountId, passengers: [ADA, BOB] }, DEPARTS_AT + 1)
      .thenRejected({ code: "booking_not_found" });
    const { type: _, ...uploaded } = { type: "", documentId: "doc_1", uploadId: "upl_1", fileName: "a", ...file };
    once
      .when({ type: "UploadDocument", accountId, ...uploaded }, DEPARTS_AT + 1)
      .thenRejected({ code: "booking_not_found" });
  });
});

test("a booking is settled when nothing of its money or its flight is under way", () => {
  const isSettledAfter = (...events: readonly BookingEvent[]) => {
    const booking = given(events).state();
    if (!isExistingBooking(booking)) throw new Error("it was created");
    return isSettled(booking);
  };
  const refund = refundStarted(T0 + 9, CARD_PAYMENT, CARD_REFUND, 1, "requested_by_customer");
  const refunded: BookingEvent = {
    type: "RefundSucceeded",
    at: T0 + 10,
    data: { refundId: CARD_REFUND, paymentId: CARD_PAYMENT },
  };
  const disputed = (status: string): BookingEvent => ({
    type: "PaymentDisputed",
    at: T0 + 9,
    data: { paymentId: CARD_PAYMENT, disputeId: "dp_1", amount: 1, currency: "USD", reason: "fraudulent", status },
  });
  const due = returnDue(T0 + 9, "e1", 1, "late");
  const sent: BookingEvent = { type: "ReturnSent", at: T0 + 10, data: { returnId: due.data.returnId } };
  expect(isSettledAfter(created(), cancelled(T0 + 1))).toBe(true);
  expect(isSettledAfter(created(), started(T0 + 1))).toBe(false);
  expect([isSettledAfter(...paid(), refund), isSettledAfter(...paid(), refund, refunded)]).toStrictEqual([false, true]);
  expect([
    isSettledAfter(...paid(), disputed("needs_response")),
    isSettledAfter(...paid(), disputed("lost")),
  ]).toStrictEqual([false, true]);
  expect([isSettledAfter(...paidByTransfer(), due), isSettledAfter(...paidByTransfer(), due, sent)]).toStrictEqual([
    false,
    true,
  ]);
});

describe("a booking of which all or one are erased takes no words (docs/privacy.md#erasing)", () => {
  const { bookingId, accountId } = created().data;
  const all: BookingEvent = { type: "BookingErased", at: DEPARTS_AT, data: { bookingId } };
  const words: BookingPassengerErased["data"]["words"] = [
    ["text", "[erased]"],
    ["email", "erased@erased.invalid"],
    ["text", "Bob Noyce"],
    ["email", "bob@example.com"],
  ];
  const one: BookingPassengerErased = {
    type: "BookingPassengerErased",
    at: DEPARTS_AT,
    data: { bookingId, passenger: 0, words },
  };
  const AT = DEPARTS_AT + 1;
  const file = { uploadId: "upl_1", fileName: "a.pdf", contentType: "application/pdf", sizeBytes: 1, sha256: "00" };
  const uploaded = { type: "DocumentUploaded", at: T0 + 9, data: { documentId: "doc_1", ...file } } as BookingEvent;
  const rejected = { documentId: "doc_1", kind: "unknown", byOperator: true } as const;

  test.each([all, one])("$type", (erasure) => {
    const history = given([...paid(), uploaded, erasure]);
    const cancel = { type: "CancelBooking", accountId, changes: [] } as const;
    for (const [reason, stored] of [
      ["Ada is ill", "[erased]"],
      [null, null],
    ] as const)
      history.when({ ...cancel, reason }, AT).then([cancelled(AT, "requested", stored, { keepsPoints: true })]);
    history
      .when({ type: "RejectDocument", documentId: "doc_1", reason: "not Ada's" }, AT)
      .then([{ type: "DocumentRejected", at: AT, data: { ...rejected, reason: "[erased]" } }]);
    history.when({ type: "AddNote", text: "Ada rang up" }, AT).thenRejected("booking_not_found");
    history.when({ ...cancel, reason: null, note: "Ada rang up" }, AT).thenRejected("booking_not_found");
  });

  test("but what an operator verifies keeps the words of others", () => {
    const data = { documentId: "doc_1", kind: "passport", passengers: [1], zoneName: "NOYCE/BOB" } as const;
    const verified: BookingEvent = { type: "DocumentVerified", at: T0 + 9, data };
    const before = given([...paid(), uploaded, verified]);
    const state = before.state();
    if (!isExistingBooking(state)) throw new Error("it was created");
    const forgotten = { ...one, data: { ...one.data, words: wordsWithout(state, 0) } };
    given([...paid(), uploaded, verified, forgotten])
      .when({ type: "VerifyDocument", documentId: "doc_1", kind: "passport" }, AT)
      .then([{ ...verified, at: AT }]);
  });
});

describe("erasing a saved passenger", () => {
  const given = specification(passengerDecider);
  const erased = (at: number, freed: PassengerErased["data"]["freed"]): PassengerErased => ({
    type: "PassengerErased",
    at,
    data: { passengerId, accountId, freed },
  });

  test("frees its address, unless it is deleted and has done so; a second time changes nothing", () => {
    given([profile()])
      .when({ type: "ErasePassenger" }, T0 + 9)
      .then([erased(T0 + 9, FIRST)]);
    given([profile(), deleted()])
      .when({ type: "ErasePassenger" }, T0 + 9)
      .then([erased(T0 + 9, null)]);
    given([profile(), erased(T0 + 9, FIRST)])
      .when({ type: "ErasePassenger" }, T0 + 10)
      .then([]);
    given([]).when({ type: "ErasePassenger" }, T0).thenRejected({ code: "profile_not_found" });
  });

  test("ends its changes", () => {
    const change = { type: "ChangePassenger", accountId, changes: { firstName: "Eve" }, claim: null } as const;
    given([profile(), erased(T0 + 9, FIRST)])
      .when(change, T0 + 10)
      .thenRejected({ code: "profile_not_found" });
    given([profile()])
      .when(change, T0 + 10)
      .then([changed({ firstName: "Eve" }, T0 + 10)]);
  });
});

describe("erasing an account", () => {
  const given = specification(accountDecider);
  const credential = { credentialId: "crd_1", kind: "api-key", name: "till", scopes: [], secretHash: "h" } as const;
  const opened: AccountEvent = {
    type: "AccountOpened",
    at: 1,
    data: { accountId, name: "A", apiVersion: "2026-11-01" },
  };
  const issued: AccountEvent = { type: "CredentialIssued", at: 1, data: { ...credential, accountId, clientId: null } };
  const erased: AccountEvent = { type: "AccountErased", at: 2, data: { accountId } };

  test("revokes its credentials for good", () => {
    given([opened, issued]).when({ type: "EraseAccount" }, 2).then([erased]);
    given([opened, erased]).when({ type: "EraseAccount" }, 3).then([]);
    expect(isCredentialActive(given([opened, issued, erased]).state(), "crd_1")).toBe(false);
    for (const command of [
      { type: "ResumeAccount" },
      { type: "IssueCredential", ...credential, clientId: null },
    ] as const) {
      given([opened, erased]).when(command, 3).thenRejected({ code: "account_erased" });
    }
  });
});
