import { describe, expect, test } from "@jest/globals";
import {
  type AccountEvent,
  accountDecider,
  type BookingErased,
  isCredentialActive,
  type PassengerErased,
  passengerDecider,
} from "../../src/index.ts";
import { cancelled, created, DEPARTS_AT, given, paid, T0 } from "../booking/fixtures.ts";
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
