import type { BookingBody, PaymentBody } from "@travel-booking/api-contract";
import { SandboxLedger } from "@travel-booking/payment-gateway/sandbox";
import type { DisruptionEvidence, DisruptionProof, DisruptionRow, RefundRow } from "@travel-booking/read-models";
import { randomNumbers } from "../bench/data/random-numbers.ts";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { mapAtOnce } from "../support/map-at-once.ts";
import { operatorJson } from "../support/operator-cli.ts";
import { repeatUntilAnswered } from "../support/repeat-until-answered.ts";
import { until } from "../support/until.ts";
import type { Findings } from "./audit/findings.ts";
import { auditLog } from "./audit/log.ts";
import { Kills } from "./kills.ts";
import { cabinsOf } from "./load/sale.ts";
import { newAccount } from "./load/shoppers.ts";
import type { Options } from "./options.ts";
import { say, startTarget } from "./soak.ts";
import type { Target } from "./targets/target.ts";

const FLIGHT = "SO-GONE";
/** Far away: what goes back by bank transfer has settled long before. */
const DEPARTS_IN_DAYS = 60;
const SETTLED = "8d";
const ACCOUNTS = 4;
const FIRST_ROW = 10;
const SEATS_PER_ROW = 6;
/** A tenth of the bookings are of two. */
const SEATS_PER_BOOKING = 1.15;

/** What has to become of a booking. */
interface Journey {
  readonly bookingId: string;
  readonly api: ApiClient;
  /** Cents that go back because of the flight. */
  readonly due: number;
}

/** Sells one flight, cancels it, kills the services while its bookings follow, and answers what does not add up. */
export async function soakDisruption({ profile, seed, killEvery, bookings = 0 }: Options): Promise<Findings> {
  console.log(`${profile}, ${bookings} bookings, a kill every ${killEvery} s, seed ${seed}`);
  const target = await startTarget(profile);
  try {
    const rows = [FIRST_ROW, FIRST_ROW + Math.ceil((bookings * SEATS_PER_BOOKING) / SEATS_PER_ROW)] as const;
    await importFlights(target, [{ id: FLIGHT, departsIn: DEPARTS_IN_DAYS, rows }]);
    const keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => newAccount(target)));
    const clients = keys.map((apiKey) => new ApiClient(target.baseUrl, { apiKey }));
    const numbers = Array.from({ length: bookings }, (_, index) => index);
    const journeys = await mapAtOnce(numbers, (index) => sell(target, clients[index % ACCOUNTS] as ApiClient, index));
    say(`${journeys.length} bookings are made`);
    const found = await cancelUnderKills(target, journeys, { seed, killEvery });
    const sold = { cabins: cabinsOf(rows) };
    const clock = await operatorJson<{ readonly now: string }>(target.operatorEnvironment, "clock", "show");
    const { events, state, close } = await target.openBooks();
    try {
      const ledger = await Array.fromAsync(new SandboxLedger(state).entries());
      const findings = [...found, ...(await auditLog(events, ledger, sold, Date.parse(clock.now)))];
      for (const finding of findings) say(`FOUND: ${finding}`);
      return findings;
    } finally {
      await close();
    }
  } finally {
    await target.discard();
  }
}

/** How bookings were paid for, in turns. */
const WAYS = ["not", "not any more", "transfer", "baggage", "credit", "answer lost", "card", "card"] as const;

async function sell(target: Target, api: ApiClient, index: number): Promise<Journey> {
  const way = WAYS[index % WAYS.length];
  const ask = async <Body>(path: string, body: object, expected = 201): Promise<Body> => {
    const answer = await api.post<Body>(path, body, { "Idempotency-Key": `${index} ${path}` });
    if (answer.status !== expected) throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const passengers = Array.from({ length: index % 10 === 0 ? 2 : 1 }, () => ADA);
  const made = await ask<BookingBody>("/v1/bookings", { flightId: FLIGHT, cabin: "economy", passengers });
  const { id: bookingId } = made;
  const journey = { bookingId, api, due: 0 };
  if (way === "not") return journey;
  const redeem = (reward: string) => ask("/v1/loyalty/redemptions", { reward, bookingId });
  if (way === "baggage") await redeem("extra_baggage");
  if (way === "credit") await redeem("booking_credit");
  const method =
    way === "transfer"
      ? { type: "bank_transfer" }
      : { type: "card", token: way === "answer lost" ? "tok_timeout" : "tok_visa" };
  const { amount, method: asked } = await ask<PaymentBody>(`/v1/bookings/${bookingId}/payments`, method);
  const reference = asked.bankTransfer?.reference;
  if (reference !== undefined) await target.operator("POST", "/transfers", { reference, amount, entryId: bookingId });
  if (way !== "not any more") return { ...journey, due: amount };
  await ask(`/v1/bookings/${bookingId}/cancel`, {}, 200);
  return journey;
}

const ADA = { name: "Ada Lovelace", email: "ada@example.com" };

async function cancelUnderKills(
  target: Target,
  journeys: readonly Journey[],
  { seed, killEvery }: Pick<Options, "seed" | "killEvery">,
): Promise<Findings> {
  const operator = async <Body>(method: string, path: string, body?: object): Promise<Body> =>
    (await repeatUntilAnswered(() => target.operator(method, path, body))).body as Body;
  const kills = new Kills(target.victims, randomNumbers(seed), say);
  const end = new AbortController();
  const killing = kills.run(killEvery, end.signal);
  // An answer that was lost is found in the list: the flight is cancelled once.
  await operator("POST", `/flights/${FLIGHT}/cancel`, { run: 0 });
  const rows = async () => (await operator<{ data: readonly DisruptionRow[] }>("GET", "/disruptions")).data;
  const id = (await rows())[0]?.id ?? "";
  const ended = until(async () => (await rows()).every(({ status }) => status === "ended"));
  // Some clients come before the sweep.
  await mapAtOnce(
    journeys.filter((_, index) => index % 20 === 19),
    ({ api, bookingId }) => repeatUntilAnswered(() => api.post(`/v1/bookings/${bookingId}/cancel`, {})),
  );
  await ended;
  end.abort();
  await killing;
  say(`all bookings have followed; killed ${[...kills.counts.values()].reduce((sum, count) => sum + count, 0)} times`);
  await operatorJson(target.operatorEnvironment, "clock", "advance", SETTLED);
  const proof = await operator<DisruptionProof>("GET", `/disruptions/${id}/verify`);
  const evidence = await operator<readonly DisruptionEvidence[]>("GET", `/disruptions/${id}/export`);
  const { data: refunds } = await operator<{ data: readonly RefundRow[] }>("GET", `/refunds?disruption=${id}`);
  await operator("POST", `/disruptions/${id}/resume`);
  await until(async () => (await rows()).every(({ status }) => status === "ended"));
  const again = await operator<DisruptionProof>("GET", `/disruptions/${id}/verify`);
  return [
    ...proof.differences,
    ...refunds.map((refund) => `${refund.id} has not arrived`),
    ...(JSON.stringify(again) === JSON.stringify(proof) ? [] : ["a second sweep has changed something"]),
    ...astray(journeys, evidence),
  ];
}

/** Bookings that have ended otherwise than they must. */
export function astray(
  journeys: readonly Pick<Journey, "bookingId" | "due">[],
  evidence: readonly Pick<DisruptionEvidence, "bookingId" | "status" | "due" | "paid">[],
): Findings {
  const known = new Map(evidence.map((row) => [row.bookingId, row]));
  return journeys.flatMap(({ bookingId, due }) => {
    const { status = "cancelled", due: shown = 0, paid = 0 } = known.get(bookingId) ?? {};
    const isRight = status === "cancelled" && shown === due && paid === due;
    return isRight ? [] : [`${bookingId} is ${status}, ${shown} due and ${paid} paid instead of ${due}`];
  });
}
