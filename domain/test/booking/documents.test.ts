import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  bookingDecider,
  type DocumentUploaded,
  documentCheck,
  fold,
  isExistingBooking,
  MAX_DOCUMENTS,
  type UploadDocument,
  verifiedPassportOf,
} from "../../src/index.ts";
import { ACCOUNT, ADA, BOB, cancelled, created, given, T0 } from "./fixtures.ts";

const FILE = {
  uploadId: "upl_1",
  contentType: "application/pdf",
  sizeBytes: 1_000,
  sha256: "ab".repeat(32),
} as const;
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
  data: { documentId, fileName: "pass.pdf", ...FILE, uploadId: `upl_of_${documentId}`, ...changes },
});
const verified = (documentId: string, passengers: readonly number[], kind: "passport" | "visa" = "passport") =>
  ({ type: "DocumentVerified", at: AT, data: { documentId, kind, passengers } }) as const;
const read = (documentId: string, passengers: readonly number[]) => {
  const { type, at, data } = verified(documentId, passengers);
  return { type, at, data: { ...data, zoneName: "LOVELACE/ADA" } } as const;
};
const rejected = (documentId: string, reason: string) =>
  ({ type: "DocumentRejected", at: AT, data: { documentId, kind: "unknown", reason } }) as const;
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

describe("the reviewer", () => {
  const zone = {
    documentCode: "P",
    surname: ["LOVELACE"],
    givenNames: ["ADA"],
    namesCutOff: false,
    expiresOn: "300101",
  };
  const record = {
    type: "RecordDocumentReading",
    documentId: "doc_1",
    reading: { outcome: "read", source: "text", zone },
  } as const;
  const unreadable = { ...record, reading: { outcome: "unreadable", documentCode: null } } as const;

  test("decides once", () => {
    given([created(), uploaded()])
      .when(record, AT)
      .then([read("doc_1", [0])]);
    for (const decided of [verified("doc_1", [1]), rejected("doc_1", "no"), left("doc_1")]) {
      given([created(), uploaded(), decided]).when(record, AT).then([]);
    }
    given([created()]).when(record, AT).thenRejected("document_not_found");
  });

  test("leaves to an operator what it can't read", () => {
    given([created(), uploaded()])
      .when(unreadable, AT)
      .then([left("doc_1")]);
  });

  test("compares with the passengers as they are now", () => {
    const renamed = { type: "BookingChanged", at: T0, data: { changeId: null, passengers: [BOB, ADA] } } as const;
    given([created(), uploaded(), renamed])
      .when(record, AT)
      .then([read("doc_1", [1])]);
  });
});

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
    given([created(), uploaded(), rejected("doc_1", "no")])
      .when(reject("no"), AT)
      .then([]);
    given([created(), uploaded(), rejected("doc_1", "no")])
      .when(reject("never"), AT)
      .then([rejected("doc_1", "never")]);
    given([created(), uploaded(), verified("doc_1", [0])])
      .when(reject("forged"), AT)
      .then([{ type: "DocumentRejected", at: AT, data: { documentId: "doc_1", kind: "passport", reason: "forged" } }]);
    given([created()]).when(verify(), AT).thenRejected("document_not_found");
    given([created()]).when(reject("no"), AT).thenRejected("document_not_found");
  });
});

describe("whether a passenger may board", () => {
  const check = (...events: readonly BookingEvent[]) => {
    const booking = fold(bookingDecider, [created(), ...events]);
    if (!isExistingBooking(booking)) throw new Error("there is no booking");
    return [0, 1, 2].map((index) => documentCheck(booking, index));
  };
  const renamed = (name: string) =>
    ({ type: "BookingChanged", at: AT, data: { changeId: null, passengers: [{ ...ADA, name }, BOB] } }) as const;

  test("rests on a verified passport of their own", () => {
    expect(check()).toStrictEqual(["missing", "missing", "missing"]);
    expect(check(uploaded())).toStrictEqual(["pending", "missing", "missing"]);
    expect(check(uploaded(), left("doc_1"))).toStrictEqual(["pending", "missing", "missing"]);
    expect(check(uploaded(), uploaded("doc_2"))).toStrictEqual(["pending", "pending", "missing"]);
    expect(check(uploaded(), verified("doc_1", [1]), uploaded("doc_2"))).toStrictEqual(["pending", "ok", "missing"]);
    expect(check(uploaded(), verified("doc_1", [1]))).toStrictEqual(["missing", "ok", "missing"]);
    expect(check(uploaded(), verified("doc_1", [0, 1]))).toStrictEqual(["ok", "ok", "missing"]);
    expect(check(uploaded(), verified("doc_1", [0, 1], "visa"))).toStrictEqual(["missing", "missing", "missing"]);
    expect(check(uploaded(), rejected("doc_1", "no"))).toStrictEqual(["missing", "missing", "missing"]);
    expect(check(uploaded(), verified("doc_1", [0]), uploaded("doc_2"))).toStrictEqual(["ok", "pending", "missing"]);
  });

  test("the passport tells how it writes its holder's name, as long as they travel", () => {
    const zoneName = (...events: readonly BookingEvent[]) => {
      const booking = fold(bookingDecider, [created(), ...events]);
      return isExistingBooking(booking) ? verifiedPassportOf(booking, 0)?.zoneName : "no booking";
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
