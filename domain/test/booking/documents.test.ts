import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  type BookingPassenger,
  bookingDecider,
  type DocumentUploaded,
  type DocumentVerified,
  fold,
  isExistingBooking,
  MAX_DOCUMENTS,
  type NameMatch,
  passportChecks,
  type RecordDocumentReading,
  type UploadDocument,
} from "../../src/index.ts";
import { ACCOUNT, ADA, BOB, cancelled, created, given, T0 } from "./fixtures.ts";

const FILE = {
  uploadId: "upl_1",
  contentType: "application/pdf",
  sizeBytes: 1_000,
  sha256: "ab".repeat(32),
} as const;
/** Of no other file. */
const sha256Of = (documentId: string) => documentId.padEnd(64, "0");
const AT = T0 + 1_000;

const upload = (documentId: string, changes: Partial<UploadDocument> = {}): UploadDocument => ({
  type: "UploadDocument",
  accountId: ACCOUNT,
  documentId,
  fileName: "pass.pdf",
  ...FILE,
  ...changes,
});
const uploaded = (documentId = "doc_1", changes: Partial<DocumentUploaded["data"]> = {}): DocumentUploaded => ({
  type: "DocumentUploaded",
  at: T0,
  data: {
    documentId,
    fileName: "pass.pdf",
    ...FILE,
    uploadId: `upl_of_${documentId}`,
    sha256: sha256Of(documentId),
    ...changes,
  },
});
const verified = (documentId: string, passengers: readonly number[], kind: "passport" | "visa" = "passport") =>
  ({ type: "DocumentVerified", at: AT, data: { documentId, kind, passengers } }) as const;
/** What was read in Ada's passport. */
const READ = { name: "LOVELACE/ADA", expiresOn: "2030-01-01", number: "L898902C3" };
const read = (documentId: string, passengers: readonly number[], more: Partial<DocumentVerified["data"]> = {}) => {
  const { type, at, data } = verified(documentId, passengers);
  return { type, at, data: { ...data, zoneName: "LOVELACE/ADA", read: READ, ...more } } as const;
};
const rejected = (documentId: string, reason: string) =>
  ({ type: "DocumentRejected", at: AT, data: { documentId, kind: "unknown", reason } }) as const;
const refused = (documentId: string, reason: string, kind: "passport" | "unknown" = "unknown") =>
  ({ type: "DocumentRejected", at: AT, data: { documentId, kind, reason, byOperator: true } }) as const;
const left = (documentId: string) =>
  ({ type: "DocumentLeftToOperator", at: AT, data: { documentId, kind: "unknown" } }) as const;
const closed = (uploadId: string) => ({ type: "UploadClosed", at: AT, data: { uploadId } }) as const;

describe("uploading", () => {
  test("records the document under a name that can be shown", () => {
    given([created()])
      .when(upload("doc_1", { fileName: "C:\\a\\b\u0000.pdf" }), AT)
      .then([{ type: "DocumentUploaded", at: AT, data: { documentId: "doc_1", ...FILE, fileName: "b.pdf" } }]);
  });

  test("the same document again changes nothing", () => {
    given([created(), uploaded("doc_1")])
      .when(upload("doc_1"), AT)
      .then([]);
  });

  test("is possible on a cancelled booking, and on nobody else's", () => {
    const data = { documentId: "doc_1", fileName: "pass.pdf", ...FILE };
    given([created(), cancelled(T0)])
      .when(upload("doc_1"), AT)
      .then([{ type: "DocumentUploaded", at: AT, data }]);
    given([created()])
      .when(upload("doc_1", { accountId: "acc_2" }), AT)
      .thenRejected("booking_not_found");
    given([]).when(upload("doc_1"), AT).thenRejected("booking_not_found");
  });

  test("ends with the hundredth", () => {
    const all = Array.from({ length: MAX_DOCUMENTS }, (_, index) => uploaded(`doc_${index}`));
    given([created(), ...all])
      .when(upload("doc_more"), AT)
      .thenRejected("too_many_documents");
  });

  test("is closed for good, or has happened", () => {
    given([created()])
      .when({ type: "CloseUpload", uploadId: "upl_1" }, AT)
      .then([closed("upl_1")]);
    given([created(), closed("upl_1")])
      .when(upload("doc_1"), AT)
      .thenRejected("upload_closed");
    given([created(), closed("upl_1")])
      .when({ type: "CloseUpload", uploadId: "upl_1" }, AT)
      .then([]);
    given([created(), uploaded("doc_1")])
      .when({ type: "CloseUpload", uploadId: "upl_of_doc_1" }, AT)
      .then([]);
    given([]).when({ type: "CloseUpload", uploadId: "upl_1" }, AT).thenRejected("booking_not_found");
  });
});

const zone = {
  documentCode: "P",
  surname: ["LOVELACE"],
  givenNames: ["ADA"],
  namesCutOff: false,
  expiresOn: "300101",
  number: "L898902C3",
};
const matching = (matches: readonly NameMatch[], passengers: readonly BookingPassenger[] = [ADA, BOB]) =>
  passengers.map(({ name }, index) => ({ name, match: matches[index] ?? "other" }));
const record = (documentId = "doc_1", names = matching(["all"])): RecordDocumentReading => ({
  type: "RecordDocumentReading",
  documentId,
  reading: { outcome: "read", source: "text", zone, names },
});

describe("the reviewer", () => {
  const unreadable = { ...record(), reading: { outcome: "unreadable", documentCode: null } } as const;

  test("decides once", () => {
    given([created(), uploaded()])
      .when(record(), AT)
      .then([read("doc_1", [0])]);
    for (const decided of [verified("doc_1", [1]), rejected("doc_1", "no"), left("doc_1")]) {
      given([created(), uploaded(), decided]).when(record(), AT).then([]);
    }
    given([created()]).when(record(), AT).thenRejected("document_not_found");
  });

  test("tells what was read, whatever follows from it", () => {
    const { type, at, data } = rejected("doc_1", "The name on the document is that of no passenger of the booking.");
    given([created(), uploaded()])
      .when(record("doc_1", matching([])), AT)
      .then([{ type, at, data: { ...data, kind: "passport", read: READ } }]);
    const waits = { documentId: "doc_1", kind: "passport", zoneName: "LOVELACE/ADA", read: READ } as const;
    given([created(), uploaded()])
      .when(record("doc_1", matching(["doubtful"])), AT)
      .then([{ type: "DocumentLeftToOperator", at: AT, data: waits }]);
  });

  test("leaves to an operator what it can't read", () => {
    given([created(), uploaded()])
      .when(unreadable, AT)
      .then([left("doc_1")]);
  });

  test("decides on the names that passengers have now, or not at all", () => {
    const renamed = { type: "BookingChanged", at: T0, data: { changeId: null, passengers: [BOB, ADA] } } as const;
    const history = [created(), uploaded(), renamed];
    given(history).when(record(), AT).then([]);
    given(history)
      .when(record("doc_1", matching(["other", "all"], [BOB, ADA])), AT)
      .then([read("doc_1", [1])]);
    given(history)
      .when(unreadable, AT)
      .then([left("doc_1")]);
  });
});

describe("a document has one holder:", () => {
  const booked = created({ passengers: [BOB, ADA, ADA] });
  const twins = matching(["some", "all", "all"], [BOB, ADA, ADA]);
  const again = { sha256: sha256Of("doc_1") };

  test("of the passengers whom it fits best the first who has none", () => {
    given([booked, uploaded()])
      .when(record("doc_1", twins), AT)
      .then([read("doc_1", [1])]);
    given([booked, uploaded(), verified("doc_1", [1]), uploaded("doc_2")])
      .when(record("doc_2", twins), AT)
      .then([read("doc_2", [2])]);
    given([booked, uploaded(), verified("doc_1", [1], "visa"), uploaded("doc_2")])
      .when(record("doc_2", twins), AT)
      .then([read("doc_2", [1])]);
    const both = [verified("doc_1", [1]), uploaded("doc_2"), verified("doc_2", [2])];
    given([booked, uploaded(), ...both, uploaded("doc_3")])
      .when(record("doc_3", twins), AT)
      .then([read("doc_3", [1])]);
  });

  test.each<readonly [string, DocumentVerified, Partial<DocumentUploaded["data"]>]>([
    ["the same file", verified("doc_1", [2]), again],
    ["another picture of it", read("doc_1", [2]), {}],
    ["one in which its name was misread", read("doc_1", [2], { read: { ...READ, name: "LOVELACE/ADA K1NG" } }), {}],
  ])("%s makes no second one", (_, decided, file) => {
    given([booked, uploaded(), decided, uploaded("doc_2", file)])
      .when(record("doc_2", twins), AT)
      .then([read("doc_2", [2], { sameAs: ["doc_1"] })]);
  });

  test.each([
    ["another number", { number: "L898902C4" }],
    ["another day of expiry", { expiresOn: "2031-01-01" }],
  ])("one with %s is another", (_, changes) => {
    const other = read("doc_1", [1], { read: { ...READ, ...changes } });
    given([booked, uploaded(), other, uploaded("doc_2")])
      .when(record("doc_2", twins), AT)
      .then([read("doc_2", [2])]);
  });

  test("nor does an operator make one", () => {
    const verify = (passenger?: number) =>
      ({ type: "VerifyDocument", documentId: "doc_2", ...(passenger !== undefined && { passenger }) }) as const;
    const same = (passenger: number) => {
      const { type, at, data } = verified("doc_2", [passenger]);
      return { type, at, data: { ...data, sameAs: ["doc_1"] } };
    };
    const history = [booked, uploaded(), verified("doc_1", [1]), uploaded("doc_2", again), left("doc_2")];
    given(history)
      .when(verify(), AT)
      .then([same(1)]);
    given(history)
      .when(verify(0), AT)
      .then([same(0)]);
    expect(checksAfter(booked, ...history.slice(1), same(0))).toStrictEqual(["ok", "missing", "missing"]);
  });

  test("once its holder does not travel, it is whose name it has", () => {
    const renamed = (...passengers: readonly BookingPassenger[]) =>
      ({ type: "BookingChanged", at: AT, data: { changeId: null, passengers } }) as const;
    const history = [booked, uploaded(), read("doc_1", [1]), renamed(BOB, BOB, ADA), uploaded("doc_2", again)];
    const moved = read("doc_2", [2], { sameAs: ["doc_1"] });
    given(history)
      .when(record("doc_2", matching(["other", "other", "all"], [BOB, BOB, ADA])), AT)
      .then([moved]);
    const back = renamed(BOB, ADA, ADA);
    expect(checksAfter(...history, moved, back)).toStrictEqual(["missing", "missing", "ok"]);
  });

  test("an operator decides between two of different names", () => {
    const other = { ...ADA, name: "Ada King Lovelace" };
    const waits = { documentId: "doc_1", kind: "passport", zoneName: "LOVELACE/ADA", read: READ } as const;
    given([created({ passengers: [other, ADA] }), uploaded()])
      .when(record("doc_1", matching(["some", "some"], [other, ADA])), AT)
      .then([{ type: "DocumentLeftToOperator", at: AT, data: waits }]);
  });

  test.each([
    ["the same file", again],
    ["another picture of it", {}],
  ])("of one that an operator rejected, %s waits for an operator", (_, file) => {
    const waits = { documentId: "doc_2", kind: "passport", zoneName: "LOVELACE/ADA", read: READ } as const;
    const leftAgain = [{ type: "DocumentLeftToOperator", at: AT, data: waits }] as const;
    const second = uploaded("doc_2", file);
    const forged = refused("doc_1", "forged", "passport");
    for (const rejection of [forged, rejected("doc_1", "forged")]) {
      given([booked, uploaded(), read("doc_1", [1]), rejection, second])
        .when(record("doc_2", twins), AT)
        .then(leftAgain);
    }
    given([booked, uploaded(), read("doc_1", [1]), forged, read("doc_1", [1]), second])
      .when(record("doc_2", twins), AT)
      .then([read("doc_2", [1], { sameAs: ["doc_1"] })]);
  });

  test("one that the reviewer rejected may be verified now", () => {
    const { data } = rejected("doc_1", "no");
    given([booked, uploaded(), { ...rejected("doc_1", "no"), data: { ...data, read: READ } }, uploaded("doc_2", again)])
      .when(record("doc_2", twins), AT)
      .then([read("doc_2", [1])]);
  });

  test("a number that is not there makes no two the same", () => {
    const none = { ...READ, number: "" };
    const reading = { ...record("doc_2", twins).reading, zone: { ...zone, number: "" } } as const;
    given([booked, uploaded(), read("doc_1", [1], { read: none }), uploaded("doc_2")])
      .when({ ...record("doc_2"), reading } as RecordDocumentReading, AT)
      .then([read("doc_2", [2], { read: none })]);
  });

  test("an upload holds again when the one that took over is rejected", () => {
    const history = [booked, uploaded(), read("doc_1", [1]), uploaded("doc_2", again)];
    const { type, at, data } = verified("doc_1", [1]);
    const back = { type, at, data: { ...data, zoneName: "LOVELACE/ADA" } };
    given([...history, read("doc_2", [1], { sameAs: ["doc_1"] })])
      .when({ type: "RejectDocument", documentId: "doc_2", reason: "a copy" }, AT)
      .then([refused("doc_2", "a copy", "passport"), back]);
    given([...history, rejected("doc_1", "no"), read("doc_2", [1])])
      .when({ type: "RejectDocument", documentId: "doc_2", reason: "a copy" }, AT)
      .then([refused("doc_2", "a copy", "passport")]);
  });

  test("one recorded with several keeps them", () => {
    expect(checksAfter(booked, uploaded(), verified("doc_1", [1, 2]))).toStrictEqual(["missing", "ok", "ok"]);
  });
});

function checksAfter(...events: readonly BookingEvent[]) {
  const booking = fold(bookingDecider, events);
  if (!isExistingBooking(booking)) throw new Error("there is no booking");
  return passportChecks(booking).map(({ check }) => check);
}

describe("an operator", () => {
  const verify = (more: object = {}) => ({ type: "VerifyDocument", documentId: "doc_1", ...more }) as const;
  const reject = (reason: string) => ({ type: "RejectDocument", documentId: "doc_1", reason }) as const;

  test("verifies a document for the first passenger who needs one, or for the one named", () => {
    given([created(), uploaded(), left("doc_1")])
      .when(verify(), AT)
      .then([verified("doc_1", [0])]);
    given([created(), uploaded(), left("doc_1")])
      .when(verify({ passenger: 1 }), AT)
      .then([verified("doc_1", [1])]);
    given([created(), uploaded(), left("doc_1")])
      .when(verify({ passenger: 2 }), AT)
      .thenRejected("passenger_not_found");
    const first = [uploaded("doc_0"), verified("doc_0", [0])];
    given([created(), ...first, uploaded()])
      .when(verify(), AT)
      .then([verified("doc_1", [1])]);
    given([created(), uploaded()])
      .when(verify({ kind: "visa" }), AT)
      .then([verified("doc_1", [], "visa")]);
    given([created({ passengers: [ADA] }), uploaded()])
      .when(verify({ kind: "visa" }), AT)
      .then([verified("doc_1", [0], "visa")]);
  });

  test("has the last word", () => {
    given([created(), uploaded(), rejected("doc_1", "no")])
      .when(verify(), AT)
      .then([verified("doc_1", [0])]);
    given([created(), uploaded(), verified("doc_1", [0])])
      .when(verify(), AT)
      .then([]);
    given([created(), uploaded(), refused("doc_1", "no")])
      .when(reject("no"), AT)
      .then([]);
    for (const rejection of [refused("doc_1", "no"), rejected("doc_1", "never")]) {
      given([created(), uploaded(), rejection])
        .when(reject("never"), AT)
        .then([refused("doc_1", "never")]);
    }
    given([created(), uploaded(), verified("doc_1", [0])])
      .when(reject("forged"), AT)
      .then([refused("doc_1", "forged", "passport")]);
    given([created()]).when(verify(), AT).thenRejected("document_not_found");
    given([created()]).when(reject("no"), AT).thenRejected("document_not_found");
  });
});

test("an operator verifies anew what nobody holds any more", () => {
  const verify = { type: "VerifyDocument", documentId: "doc_1" } as const;
  const misspelled = created({ passengers: [{ ...ADA, name: "Ada Lovelase" }] });
  const renamed = { type: "BookingChanged", at: AT, data: { changeId: null, passengers: [ADA] } } as const;
  const history = [misspelled, uploaded(), read("doc_1", [0]), renamed];
  const { type, at, data } = verified("doc_1", [0]);
  const anew = { type, at, data: { ...data, zoneName: "LOVELACE/ADA" } };
  given(history).when(verify, AT).then([anew]);
  given([...history, anew])
    .when(verify, AT)
    .then([]);
  given([created(), uploaded(), verified("doc_1", [], "visa")])
    .when(verify, AT)
    .then([]);
});

describe("whether a passenger may board", () => {
  const check = (...events: readonly BookingEvent[]) => checksAfter(created(), ...events);
  const renamed = (name: string) =>
    ({ type: "BookingChanged", at: AT, data: { changeId: null, passengers: [{ ...ADA, name }, BOB] } }) as const;

  test("rests on a verified passport of their own", () => {
    expect(check()).toStrictEqual(["missing", "missing"]);
    expect(check(uploaded())).toStrictEqual(["pending", "missing"]);
    expect(check(uploaded(), left("doc_1"))).toStrictEqual(["pending", "missing"]);
    expect(check(uploaded(), uploaded("doc_2"))).toStrictEqual(["pending", "pending"]);
    expect(check(uploaded(), verified("doc_1", [1]), uploaded("doc_2"))).toStrictEqual(["pending", "ok"]);
    expect(check(uploaded(), verified("doc_1", [1]))).toStrictEqual(["missing", "ok"]);
    expect(check(uploaded(), verified("doc_1", [0, 1]))).toStrictEqual(["ok", "ok"]);
    expect(check(uploaded(), verified("doc_1", [0, 1], "visa"))).toStrictEqual(["missing", "missing"]);
    expect(check(uploaded(), rejected("doc_1", "no"))).toStrictEqual(["missing", "missing"]);
    expect(check(uploaded(), verified("doc_1", [0]), uploaded("doc_2"))).toStrictEqual(["ok", "pending"]);
  });

  test("the passport tells how it writes its holder's name, as long as they travel", () => {
    const zoneName = (...events: readonly BookingEvent[]) => {
      const booking = fold(bookingDecider, [created(), ...events]);
      return isExistingBooking(booking) ? passportChecks(booking)[0]?.passport?.zoneName : "no booking";
    };
    expect(zoneName(uploaded(), read("doc_1", [0]))).toBe("LOVELACE/ADA");
    expect(zoneName(uploaded(), verified("doc_1", [0]))).toBeUndefined();
    expect(zoneName(uploaded(), read("doc_1", [0]), renamed("Grace Hopper"))).toBeUndefined();
    expect(zoneName(uploaded(), read("doc_1", [0]), rejected("doc_1", "no"))).toBeUndefined();
  });

  test("does not go on to whoever travels instead", () => {
    expect(check(uploaded(), verified("doc_1", [0]), renamed("Grace Hopper"))[0]).toBe("missing");
    expect(check(uploaded(), verified("doc_1", [0]), renamed("ADA LOVELACE"))[0]).toBe("ok");
  });
});
