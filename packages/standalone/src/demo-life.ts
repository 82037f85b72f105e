import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeatMapBody } from "@travel-booking/api-contract";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { OperatorRoute } from "@travel-booking/http/operator";
import { type DemoAccount, operatorCaller } from "./demo.ts";

/** Record of a life that was lived to its end. */
const LIVED = ["demo", "lived"] as const;

const BOOKINGS = 40;
const KEYS = 4;
const PEOPLE = [
  ["Ada", "Lovelace", "GB"],
  ["Alan", "Turing", "GB"],
  ["Valentina", "Tereshkova", "RU"],
  ["Mae", "Jemison", "US"],
  ["Yáng", "Lìwěi", "CN"],
] as const;

/** Of the third of them, with one surname more than on the booking: an operator has to decide. */
const PASSPORT = join(import.meta.dirname, "demo-passport.png");

/** What the account has when it has lived, so that every list and page has something to look at (docs/rules.md#demo-account). */
export interface DemoLifeOptions {
  readonly demo: DemoAccount;
  readonly baseUrl: string;
  readonly routes: readonly OperatorRoute[];
  readonly state: StateStore;
  /** Aborted when the service stops: the next start goes on. */
  readonly signal: AbortSignal;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Lives the life of the demo account through the API, once: bookings in every state, saved passengers, points, an endpoint
 * that can't be reached, a document for an operator, a transfer to come. Repeated by the next start, it goes on where it was.
 * @throws Error a request was refused, or the service stops.
 */
export async function liveDemo({ demo, baseUrl, routes, state, signal }: DemoLifeOptions): Promise<void> {
  if ((await state.get(...LIVED)) !== undefined) return;
  const operator = operatorCaller(routes);
  const { accountId } = demo;
  // Of its own, several, so that the rate limit leaves the demo key to whoever tries it.
  const keys = await Promise.all(
    Array.from({ length: KEYS }, () =>
      operator("/operator/credentials", { accountId, kind: "api-key", name: "life of the demo account", test: true }),
    ),
  );
  let sent = 0;
  const send = async (method: string, path: string, body?: Body | FormData): Promise<Body> => {
    const json = body === undefined || body instanceof FormData ? undefined : JSON.stringify(body);
    const response = await fetch(`${baseUrl}/v1${path}`, {
      method,
      signal,
      body: json ?? (body as FormData | undefined) ?? null,
      headers: {
        "x-api-key": keys[sent % KEYS]?.apiKey ?? "",
        ...(json !== undefined && { "content-type": "application/json" }),
        // The same in each life, so that what was done is not done again.
        ...(method === "POST" && { "idempotency-key": `demo-${sent}` }),
      },
    });
    sent += 1;
    const answer = (await response.json()) as Body;
    // A profile that is there already is as good.
    if (!response.ok && !(response.status === 409 && path === "/passengers"))
      throw new Error(`${method} ${path} got ${response.status}`);
    return answer;
  };
  const post = (path: string, body?: Body | FormData) => send("POST", path, body);

  for (const [index, [firstName, lastName, nationality]] of PEOPLE.entries()) {
    const email = `traveller-${index}@example.com`;
    await post("/passengers", { firstName, lastName, email, dateOfBirth: `19${60 + index}-04-12`, nationality });
  }
  const { data: flights } = (await send("GET", "/flights?limit=20")) as { data: readonly { readonly id: string }[] };
  for (let number = 0; number < BOOKINGS; number += 1) {
    // It would be told, and fail, from then on.
    if (number === BOOKINGS - 8) await registerEndpoint(send);
    // Not on the first flight, which the start-up summary has two seats of.
    const flightId = flights[1 + (number % (flights.length - 1))]?.id ?? "";
    const party = PEOPLE.slice(number % PEOPLE.length, (number % PEOPLE.length) + 1 + (number % 2));
    const passengers = party.map(([first, last], index) => ({
      name: `${first} ${last}`,
      email: `party-${index}@example.com`,
    }));
    const row = Math.floor(number / (flights.length - 1));
    const seats = number % 4 === 0 ? {} : { seats: (await rowOf(send, flightId, row)).slice(0, party.length) };
    const reference = `DEMO-${number + 1}`;
    const { id } = await post("/bookings", { flightId, cabin: "economy", passengers, reference, ...seats });
    await live(`/bookings/${id}`, number % 8, post);
    if (number !== 7) continue;
    const form = new FormData();
    form.set("file", new Blob([readFileSync(PASSPORT)], { type: "image/png" }), "passport.png");
    await post(`/bookings/${id}/documents`, form);
  }
  await operator("/operator/loyalty/adjustments", {
    accountId,
    points: 60_000,
    reason: "a gift to try rewards with",
  });
  await post("/loyalty/redemptions", { reward: "lounge_access" });
  for (const { id = "" } of keys) {
    await operator("/operator/credentials/:id", undefined, { method: "DELETE", params: { id } });
  }
  await state.put(...LIVED, true);
}

type Send = (method: string, path: string, body?: Body) => Promise<Body>;

/** The seats that may be had of a row of economy, counted from 0; taken or not, for a life that goes on has taken some. */
async function rowOf(send: Send, flightId: string, row: number): Promise<readonly string[]> {
  const { cabins } = (await send("GET", `/flights/${flightId}/seat-map`)) as Pick<SeatMapBody, "cabins">;
  const seats = cabins.find(({ cabin }) => cabin === "economy")?.rows[row]?.seats ?? [];
  return seats.filter(({ status }) => status !== "blocked").map(({ number }) => number);
}

async function registerEndpoint(send: Send): Promise<void> {
  const { data } = (await send("GET", "/webhook-endpoints")) as { readonly data: readonly unknown[] };
  if (data.length > 0) return;
  const events = ["booking.confirmed", "booking.cancelled", "payment.succeeded"];
  await send("POST", "/webhook-endpoints", { url: "https://receiver.invalid/hooks", events });
}

/** What becomes of a booking; those of no kind stay as they are: pending. */
async function live(
  booking: string,
  kind: number,
  post: (path: string, body?: Body | FormData) => Promise<Body>,
): Promise<void> {
  const pay = (token: string) => post(`${booking}/payments`, { type: "card", token });
  switch (kind) {
    case 1:
    case 2:
      return void (await pay("tok_visa"));
    case 3:
      return void (await pay("tok_declined_insufficient_funds"));
    case 4:
      return void (await post(`${booking}/cancel`, { reason: "plans have changed" }));
    case 5:
      await pay("tok_mastercard");
      return void (await post(`${booking}/cancel`, { reason: "plans have changed" }));
    case 6: {
      const { id } = await pay("tok_visa");
      return void (await post(`/payments/${id}/refunds`, { amount: 1_000, reason: "requested_by_customer" }));
    }
    case 7:
      return void (await post(`${booking}/payments`, { type: "bank_transfer" }));
  }
}
