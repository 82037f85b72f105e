import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "@jest/globals";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { RetryingApi } from "../distributed/kit/retrying-api.ts";
import { importFlights } from "./catalogue.ts";
import type { Service } from "./service.ts";

/** Personal words, each as nothing else of the service is called. */
export const WORDS = {
  name: "Grünhilde Wortmann-Suchbar",
  email: "gruenhilde.wortmann@suchbar.example",
  reference: "Referenz-Suchbar-4711",
  changedName: "Grünhilde Andersheim",
  metadata: "Bestellung-Suchbar-0815",
  note: "Vermerk-Suchbar-0816",
  changedNote: "Nachtrag-Suchbar-0817",
  reason: "weil Grünhilde krank geworden ist",
  firstName: "Brunhilde-Suchbar",
  lastName: "Nachname-Suchbar",
  profileEmail: "brunhilde@suchbar.example",
  passport: "PASSNR-4711-SUCHBAR",
  loyaltyNumber: "MITGLIED-4711-SUCHBAR",
  accountName: "Reisebüro Suchbar und Söhne",
  credentialName: "Schlüssel von Brunhilde",
  adjustment: "Kulanz für Brunhilde Suchbar",
  fileName: "reisepass-gruenhilde-suchbar.pdf",
  zoneName: "ANDERSHEIM/GRUENHILDE SUCHBAR",
  zoneNumber: "ANHYR4711",
};

/** In the uploaded file. */
export const IN_FILE = "Reisepass der Grünhilde";

/** The files of a folder that hold one of these words, in any of three encodings, and the word. */
export function findWords(folder: string, words: readonly string[]): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name));
    return words
      .filter((word) => encodings(word).some((each) => bytes.includes(each)))
      .map((word) => `${name}: ${word}`);
  });
}

/** The words that are in what servers hold (`dumpStorage`), in any of the same encodings. */
export function wordsIn(stored: string, words: readonly string[]): readonly string[] {
  const forms = (word: string) => [word, ...encodings(word).map((form) => form.toString("latin1"))];
  return words.filter((word) => forms(word).some((form) => stored.includes(form)));
}

/** In base64 a word begins at one of three places; what its neighbours change of the ends is left out. */
export function encodings(word: string): readonly (Buffer | string)[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from(" ".repeat(offset) + word)
      .toString("base64url")
      .slice(offset === 0 ? 0 : offset + 1, -3),
  );
  return [Buffer.from(word, "utf8"), Buffer.from(word, "utf16le"), ...inBase64];
}

/** A life with all of the words in it; answers what its owner is shown of it. */
export async function liveThrough(running: Service) {
  await importFlights(running, [{ id: "PW-1", departsIn: 60 }]);
  const account = (await running.operator("POST", "/accounts", { name: WORDS.accountName })).body as { id: string };
  const credential = { accountId: account.id, kind: "api-key", name: WORDS.credentialName };
  const { apiKey } = (await running.operator("POST", "/credentials", credential)).body as { apiKey: string };
  await running.operator("POST", "/loyalty/adjustments", {
    accountId: account.id,
    points: 10,
    reason: WORDS.adjustment,
  });
  const client = new RetryingApi(running.baseUrl, { apiKey });
  const key = (name: string) => ({ "Idempotency-Key": name });
  const passengers = [{ name: WORDS.name, email: WORDS.email }];
  const noted = { reference: WORDS.reference, metadata: { note: WORDS.note } };
  const order = { flightId: "PW-1", cabin: "economy", passengers, ...noted };
  const booking = (await client.post<{ id: string }>("/v1/bookings", order, key("book"))).body;
  const path = `/v1/bookings/${booking.id}`;
  const changed = [{ name: WORDS.changedName, email: WORDS.email }];
  await client.patch(path, { passengers: changed, metadata: { more: WORDS.changedNote } }, key("change"));
  const payment = { type: "card", token: "tok_visa", metadata: { order: WORDS.metadata } };
  const { id: paymentId } = (await client.post<{ id: string }>(`${path}/payments`, payment, key("pay"))).body;
  const names = { surname: "ANDERSHEIM", givenNames: "GRUENHILDE SUCHBAR" };
  const holder = { ...names, number: WORDS.zoneNumber, expiresOn: "401231" };
  const form = new FormData();
  form.set(
    "file",
    new Blob([new Uint8Array(await pdfWithZone(passportZone(holder))), `\n% ${IN_FILE}`]),
    WORDS.fileName,
  );
  const uploaded = await fetch(`${running.baseUrl}${path}/documents`, {
    method: "POST",
    headers: { "x-api-key": apiKey },
    body: form,
  });
  expect(uploaded.status).toBe(201);
  for (let status = "pending"; status === "pending"; await pause(100)) {
    status = (await client.get<{ data: { status: string }[] }>(`${path}/documents`)).body.data[0]?.status ?? "none";
  }
  const profile = await client.post<{ id: string }>(
    "/v1/passengers",
    {
      firstName: WORDS.firstName,
      lastName: WORDS.lastName,
      email: WORDS.profileEmail,
      dateOfBirth: "1987-06-05",
      nationality: "DE",
      passport: { number: WORDS.passport, expiresOn: "2040-01-01", issuingCountry: "DE" },
      loyaltyNumber: WORDS.loyaltyNumber,
      metadata: { note: WORDS.metadata },
    },
    key("save"),
  );
  expect(profile.status).toBe(201);
  await client.post(`${path}/cancel`, { reason: WORDS.reason }, key("cancel"));
  const paths = [
    path,
    `${path}/history`,
    `${path}/documents`,
    "/v1/bookings",
    `/v1/payments/${paymentId}`,
    `/v1/passengers/${profile.body.id}`,
    `/v1/passengers?email=${WORDS.profileEmail}`,
    "/v1/events?order=asc",
    "/v1/loyalty/transactions",
    `${path}/summary`,
  ];
  const ofOperator = ["/accounts", "/credentials", "/documents", `/streams/booking-${booking.id}`];
  const shown = async (of: Service) => {
    const reader = new RetryingApi(of.baseUrl, { apiKey });
    return [
      ...(await Promise.all(paths.map(async (each) => (await reader.get(each)).body))),
      ...(await Promise.all(ofOperator.map(async (each) => withoutUses((await of.operator("GET", each)).body)))),
    ];
  };
  const repeated = async (of: Service) =>
    (await new RetryingApi(of.baseUrl, { apiKey }).post("/v1/bookings", order, key("book"))).body;
  return {
    apiKey,
    accountId: account.id,
    bookingId: booking.id,
    passengerId: profile.body.id,
    booking,
    shown,
    repeated,
  };
}

/** What is asked for is a use of the credential. */
function withoutUses(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (field, value) => (field === "lastUsedAt" ? null : value));
}
