import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { ENV, type Kept, type RepeatedRequest, readAnswers, readOperatorAnswers } from "./answers.ts";

/*
 * Makes what is kept of this release: a data folder with a little of everything, and what the service answers on it. Run it in
 * a checkout of the release: `node tests/upgrade/record.ts --output tests/upgrade/releases/VERSION.tgz`.
 */
const { output = "" } = parseArgs({ options: { output: { type: "string" } } }).values;
const { version } = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "../../package.json"), "utf8"));

const LOOK_AGAIN_MS = 100;
const ADA = { name: "Ada Lovelace", email: "ada@example.com" };
const ALAN = { name: "Alan Turing", email: "alan@example.com" };
const ERASED = { name: "Grace Hopper", email: "grace@example.com" };

const service = await Service.start({ env: ENV });
const token = fs.readFileSync(path.join(service.dataDir, "operator-token"), "utf8").trim();
await importFlights(service, [
  { id: "UP-1", departsIn: 400 },
  { id: "UP-2", departsIn: 3 },
]);
const { apiKey, accountId } = await service.newApiKey();
const api = new ApiClient(service.baseUrl, { apiKey });
const repeated: RepeatedRequest[] = [];

interface Created {
  readonly id: string;
}

/** A request under a new key, which is kept, to be repeated. */
async function post(at: string, body: unknown): Promise<Created> {
  const key = randomUUID();
  const headers = { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": key };
  const response = await fetch(`${service.baseUrl}${at}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${at}: ${response.status} ${text}`);
  repeated.push({ path: at, key, body, status: response.status, text });
  return JSON.parse(text);
}

async function operator(method: string, at: string, body?: unknown): Promise<unknown> {
  const answer = await service.operator(method, at, body);
  if (answer.status >= 300) throw new Error(`${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const book = (flightId: string, passengers: readonly object[], more: object = {}) =>
  post("/v1/bookings", { flightId, cabin: "economy", passengers, ...more });
const card = (token: string) => ({ type: "card", token });

// Held, chosen and unchosen seats; paid, declined, refunded in part, cancelled, paid by a transfer, expired.
const hold = await post("/v1/flights/UP-1/seat-holds", { seats: ["10A", "10B"] });
await post("/v1/flights/UP-1/seat-holds", { seats: ["12F"] });
const noted = { reference: "UP-REFERENCE", metadata: { order: "UP-1815" } };
const held = await book("UP-1", [ADA, ALAN], { holdId: hold.id, ...noted });
const declined = await post(`/v1/bookings/${held.id}/payments`, card("tok_declined_card_declined"));
const paid = await post(`/v1/bookings/${held.id}/payments`, { ...card("tok_visa"), metadata: { order: "17" } });
await post(`/v1/payments/${paid.id}/refunds`, { amount: 1_000 });
await api.patch(`/v1/bookings/${held.id}`, {
  reference: "UP-CHANGED",
  seats: ["11A", "11B"],
  metadata: { agent: "UP-7" },
});
const cancelled = await book("UP-1", [ADA]);
const refunded = await post(`/v1/bookings/${cancelled.id}/payments`, card("tok_amex"));
await post(`/v1/bookings/${cancelled.id}/cancel`, { reason: "another plan" });
const byTransfer = await book("UP-1", [ALAN], { seats: ["15C"] });
const transfer = await post(`/v1/bookings/${byTransfer.id}/payments`, { type: "bank_transfer" });
const { body: expected } = await api.get<{ method: { bankTransfer: { reference: string } } }>(
  `/v1/payments/${transfer.id}`,
);
await operator("POST", "/transfers", {
  reference: expected.method.bankTransfer.reference,
  amount: 150_000,
  entryId: "E-1",
});
// Money that matches nothing, which a release may refuse.
await service.operator("POST", "/transfers", { reference: "for the journey", amount: 100, entryId: "E-2" });
const expiring = await book("UP-1", [ALAN], { seats: ["16C"] });
const forgotten = await book("UP-1", [ERASED]);
await post(`/v1/bookings/${forgotten.id}/cancel`, {});
await operator("POST", `/bookings/${forgotten.id}/erase`);
const flown = await book("UP-2", [ADA], { cabin: "business" });
const fare = await post(`/v1/bookings/${flown.id}/payments`, {
  type: "wallet",
  walletType: "paypal",
  token: "tok_mastercard",
});

// A document that is verified; a saved passenger; an endpoint of webhooks where nobody listens.
await post("/v1/webhook-endpoints", { url: "http://127.0.0.1:1099/", events: ["booking.cancelled"] });
const expires = new Date(Date.now() + 3_650 * 86_400_000).toISOString().slice(2, 10).replaceAll("-", "");
const form = new FormData();
const pdf = await pdfWithZone(passportZone({ surname: "LOVELACE", givenNames: "ADA", expiresOn: expires }));
form.set("file", new Blob([new Uint8Array(pdf)], { type: "application/pdf" }), "passport.pdf");
const uploaded = await fetch(`${service.baseUrl}/v1/bookings/${held.id}/documents`, {
  method: "POST",
  headers: { "x-api-key": apiKey },
  body: form,
});
const { id: saved } = await post("/v1/passengers", {
  firstName: "Ada",
  lastName: "Lovelace",
  email: ADA.email,
  dateOfBirth: "1815-12-10",
  nationality: "GB",
  passport: { number: "L898902C3", expiresOn: "2039-01-01", issuingCountry: "GB" },
  metadata: { team: "analytical" },
});
await api.patch(`/v1/passengers/${saved}`, { loyaltyNumber: "AL-1815" });

if (uploaded.status !== 201) throw new Error(`the document: ${uploaded.status} ${await uploaded.text()}`);
for (let isReviewed = false; !isReviewed; ) {
  const { body } = await api.get<{ data: { status: string }[] }>(`/v1/bookings/${held.id}/documents`);
  isReviewed = body.data[0]?.status === "verified";
  await pause(LOOK_AGAIN_MS);
}

// Time passes: a booking expires, a flight departs, its points are earned and some of them spent.
await operator("POST", "/clock/advance", { seconds: 5 * 86_400 });
await operator("POST", "/loyalty/adjustments", { accountId, points: 20_000, reason: "a gift" });
await post("/v1/loyalty/redemptions", { reward: "booking_credit" });
await book("UP-1", [ALAN], { reference: "UP-CREDIT" });

const bookings = [held, cancelled, byTransfer, expiring, forgotten, flown].map(({ id }) => id);
const payments = [declined, paid, refunded, transfer, fare].map(({ id }) => id);
const answers = await readAnswers(service, apiKey, bookings, payments);
const operatorAnswers = await readOperatorAnswers(service, token);
const { now } = (await operator("GET", "/clock")) as { now: string };
await service.stop();
// What is left of the time that was skipped is in the folder; the machine's clock is to be set to when it was stopped.
const kept: Kept = {
  version,
  stoppedAt: Date.now(),
  apiKey,
  answers,
  operatorAnswers,
  // Those of the time before the clock was moved by days are forgotten.
  repeated: repeated.slice(-2),
};
console.log(`${version}: ${answers.length} answers, at ${now}`);
fs.writeFileSync(path.join(service.dataDir, "kept.json"), JSON.stringify(kept));
execFileSync("tar", ["-czf", path.resolve(output), "-C", service.dataDir, "."]);
await service.discard();
