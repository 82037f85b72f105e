import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SeatMapBody } from "@travel-booking/api-contract";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { CredentialRow } from "@travel-booking/read-models";
import type { CallOperator, DemoAccount } from "./demo.ts";

export type { CallOperator } from "./demo.ts";

/** Record of a life that came to its end. An older release wrote `true`, and may have left keys. */
const LIVED = ["demo", "lived"] as const;
const KEYS_REVOKED = "keys revoked";
/** Record of the progress of a life. */
const LIFE = ["demo", "life"] as const;

interface Life {
  /** The flights of the bookings, chosen once. */
  readonly flights: readonly string[];
  /** How many bookings are done. */
  readonly bookings: number;
}

const BOOKINGS = 40;
const KEYS = 4;
/** The name of its keys. It shows which keys an interrupted life has left. */
const KEY_NAME = "life of the demo account";
const ENDPOINT = "https://receiver.invalid/hooks";
const GIFT = "a gift to try rewards with";
const PEOPLE = [
  ["Ada", "Lovelace", "GB"],
  ["Alan", "Turing", "GB"],
  ["Valentina", "Tereshkova", "RU"],
  ["Mae", "Jemison", "US"],
  ["Yáng", "Lìwěi", "CN"],
] as const;

/** The booking with a document, counted from 0. */
const PASSPORT_OF = 7;
/** The passport of the third person. It has one surname more than the booking, so an operator has to decide. */
const PASSPORT = join(import.meta.dirname, "demo-passport.png");

/** A demo life gives the account something for every list and page (docs/rules.md#demo-account). */
export interface DemoLifeOptions {
  readonly demo: DemoAccount;
  readonly baseUrl: string;
  readonly operator: CallOperator;
  readonly state: StateStore;
  /** Aborted when the service stops. The next start goes on. */
  readonly signal: AbortSignal;
}

type Body = Readonly<Record<string, unknown>>;
type Send = (method: string, path: string, body?: Body | FormData) => Promise<Body>;

/** A step was done before, or can't be done any more, as after a departure. The life goes on without it. */
class Refused extends Error {
  static readonly statuses: readonly number[] = [404, 409, 422];
}

/**
 * Lives the life of the demo account through the API, once. It makes bookings in every state, saved passengers, points,
 * an unreachable endpoint, a document for an operator, and a transfer to come. An interrupted life goes on: it knows
 * what exists by reference, address or reason, and repeats requests with the same key.
 * @throws Error a request failed, or the service stops.
 */
export async function liveDemo(options: DemoLifeOptions): Promise<void> {
  const { demo, operator, state } = options;
  const lived = (await state.get<true | typeof KEYS_REVOKED>(...LIVED))?.value;
  if (lived === KEYS_REVOKED) return;
  await revokeKeys(operator, demo);
  if (lived === undefined) await live(options);
  await state.put(...LIVED, KEYS_REVOKED);
  await state.remove(...LIFE);
}

async function live({ demo, baseUrl, operator, state, signal }: DemoLifeOptions): Promise<void> {
  try {
    const send = sender(baseUrl, await makeKeys(operator, demo), signal);
    for (const [index, [firstName, lastName, nationality]] of PEOPLE.entries()) {
      const email = `traveller-${index}@example.com`;
      const dateOfBirth = `19${60 + index}-04-12`;
      await unlessRefused(send("POST", "/passengers", { firstName, lastName, email, dateOfBirth, nationality }));
    }
    const known = await bookingsByReference(send);
    let { flights, bookings } = (await state.get<Life>(...LIFE))?.value ?? {
      flights: await nextFlights(send),
      bookings: 0,
    };
    for (; bookings < BOOKINGS; bookings += 1) {
      await state.put<Life>(...LIFE, { flights, bookings });
      // Registered late, because all deliveries to this endpoint fail.
      if (bookings === BOOKINGS - 8) await registerEndpoint(send);
      const reference = `DEMO-${bookings + 1}`;
      const id = known.get(reference);
      await unlessRefused(id === undefined ? begin(send, flights, bookings, reference) : goOn(send, id, bookings));
    }
    await state.put<Life>(...LIFE, { flights, bookings });
    await spendPoints(send, operator, demo);
  } finally {
    await revokeKeys(operator, demo);
  }
}

/** Makes several keys for the life, so that it uses nothing of the demo key's rate limit. */
function makeKeys(operator: CallOperator, { accountId }: DemoAccount): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: KEYS }, async () => {
      const body = { accountId, kind: "api-key", name: KEY_NAME, test: true };
      return (await operator("/operator/credentials", body)).apiKey ?? "";
    }),
  );
}

/** Revokes the keys of this life, and of all lives before it. */
async function revokeKeys(operator: CallOperator, { accountId }: DemoAccount): Promise<void> {
  const path = "/operator/credentials";
  const { data } = await operator<{ readonly data: readonly CredentialRow[] }>(path, undefined, { method: "GET" });
  for (const { id, ...key } of data) {
    if (key.accountId !== accountId || key.name !== KEY_NAME || key.status !== "active") continue;
    await operator(`${path}/:id`, undefined, { method: "DELETE", params: { id } });
  }
}

function sender(baseUrl: string, keys: readonly string[], signal: AbortSignal): Send {
  let sent = 0;
  return async function send(method, path, body): Promise<Body> {
    const json = body === undefined || body instanceof FormData ? undefined : JSON.stringify(body);
    const response = await fetch(`${baseUrl}/v1${path}`, {
      method,
      signal,
      body: json ?? (body as FormData | undefined) ?? null,
      headers: {
        "x-api-key": keys[sent % keys.length] ?? "",
        ...(json !== undefined && { "content-type": "application/json" }),
        // Below a booking or a payment, a life uses each path once. So the path is the key.
        ...(method === "POST" && path.includes("/", 1) && { "idempotency-key": `demo${path}` }),
      },
    });
    sent += 1;
    const answer = (await response.json()) as Body;
    if (response.ok) return answer;
    if (response.status === 429) {
      await pause(1_000 * Number(response.headers.get("retry-after")), undefined, { signal });
      return send(method, path, body);
    }
    const said = `${method} ${path} got ${response.status}`;
    throw Refused.statuses.includes(response.status) ? new Refused(said) : new Error(said);
  };
}

async function unlessRefused(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

async function nextFlights(send: Send): Promise<readonly string[]> {
  const { data } = (await send("GET", "/flights?limit=20")) as { data: readonly { readonly id: string }[] };
  // Without the first flight, because the start-up summary offers two of its seats.
  return data.slice(1).map(({ id }) => id);
}

async function bookingsByReference(send: Send): Promise<ReadonlyMap<string | null, string>> {
  const { data } = (await send("GET", "/bookings?limit=100")) as {
    readonly data: readonly { readonly id: string; readonly reference: string | null }[];
  };
  return new Map(data.map(({ id, reference }) => [reference, id]));
}

/** Makes a booking and takes it to its state. */
async function begin(send: Send, flights: readonly string[], number: number, reference: string): Promise<void> {
  const path = `/bookings/${await book(send, flights, number, reference)}`;
  await pursue(send, path, number);
  if (number === PASSPORT_OF) await uploadPassport(send, path);
}

/** Goes on with a booking that an interrupted life has made. */
async function goOn(send: Send, id: string, number: number): Promise<void> {
  const path = `/bookings/${id}`;
  await unlessRefused(pursue(send, path, number));
  if (number !== PASSPORT_OF) return;
  const { data } = (await send("GET", `${path}/documents`)) as { readonly data: readonly unknown[] };
  if (data.length === 0) await uploadPassport(send, path);
}

async function book(send: Send, flights: readonly string[], number: number, reference: string): Promise<unknown> {
  const flightId = flights[number % flights.length] ?? "";
  const party = PEOPLE.slice(number % PEOPLE.length, (number % PEOPLE.length) + 1 + (number % 2));
  const passengers = party.map(([first, last], index) => ({
    name: `${first} ${last}`,
    email: `party-${index}@example.com`,
  }));
  const row = Math.floor(number / flights.length);
  const seats = number % 4 === 0 ? {} : { seats: (await rowOf(send, flightId, row)).slice(0, party.length) };
  return (await send("POST", "/bookings", { flightId, cabin: "economy", passengers, reference, ...seats })).id;
}

/** The available seats of an economy row. Rows are counted from 0. */
async function rowOf(send: Send, flightId: string, row: number): Promise<readonly string[]> {
  const { cabins } = (await send("GET", `/flights/${flightId}/seat-map`)) as Pick<SeatMapBody, "cabins">;
  const seats = cabins.find(({ cabin }) => cabin === "economy")?.rows[row]?.seats ?? [];
  return seats.filter(({ status }) => status === "available").map(({ number }) => number);
}

async function registerEndpoint(send: Send): Promise<void> {
  const { data } = (await send("GET", "/webhook-endpoints")) as { readonly data: readonly { readonly url: string }[] };
  if (data.some(({ url }) => url === ENDPOINT)) return;
  const events = ["booking.confirmed", "booking.cancelled", "payment.succeeded"];
  await send("POST", "/webhook-endpoints", { url: ENDPOINT, events });
}

async function uploadPassport(send: Send, booking: string): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob([readFileSync(PASSPORT)], { type: "image/png" }), "passport.png");
  await send("POST", `${booking}/documents`, form);
}

async function spendPoints(send: Send, operator: CallOperator, { accountId }: DemoAccount): Promise<void> {
  const { data } = (await send("GET", "/loyalty/transactions")) as {
    readonly data: readonly { readonly type: string; readonly description: string }[];
  };
  if (!data.some(({ description }) => description.includes(GIFT)))
    await operator("/operator/loyalty/adjustments", { accountId, points: 60_000, reason: GIFT });
  if (!data.some(({ type }) => type === "redeem"))
    await unlessRefused(send("POST", "/loyalty/redemptions", { reward: "lounge_access" }));
}

/** Takes a booking to its state. Some bookings stay pending. */
async function pursue(send: Send, booking: string, number: number): Promise<void> {
  const pay = (token: string) => send("POST", `${booking}/payments`, { type: "card", token });
  const cancel = () => send("POST", `${booking}/cancel`, { reason: "plans have changed" });
  switch (number % 8) {
    case 1:
    case 2:
      return void (await pay("tok_visa"));
    case 3:
      return void (await pay("tok_declined_insufficient_funds"));
    case 4:
      return void (await cancel());
    case 5:
      await unlessRefused(pay("tok_mastercard"));
      return void (await cancel());
    case 6: {
      const { id } = await pay("tok_visa");
      return void (await send("POST", `/payments/${id}/refunds`, { amount: 1_000, reason: "requested_by_customer" }));
    }
    case 7:
      return void (await send("POST", `${booking}/payments`, { type: "bank_transfer" }));
  }
}
