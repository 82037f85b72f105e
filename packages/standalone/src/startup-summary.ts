import { join } from "node:path";
import { seatStatus, seatsOf } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, FLIGHTS, findFlightSeats, timeSortKey } from "@travel-booking/read-models";
import type { Settings } from "@travel-booking/runtime";
import type { DemoAccount } from "./demo.ts";

interface StartupSummaryOptions {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly settings: Settings;
  /** The result of `unusualLines`. */
  readonly unusual: readonly string[];
  readonly demo: DemoAccount | undefined;
  readonly models: ReadModels;
  readonly now: number;
}

/** The text on standard output once the service is ready. */
export async function startupSummary(options: StartupSummaryOptions): Promise<string> {
  const { baseUrl, operatorUrl, settings, unusual, demo, models, now } = options;
  const { dataDir } = settings;
  const lines = [
    "Travel Booking Service is ready.",
    `  base address      ${baseUrl}`,
    `  reference         ${baseUrl}/docs`,
    `  operator address  ${operatorUrl}  (in a browser: the operator's page${settings.operatorToken === undefined ? `; its token is in ${join(dataDir, "operator-token")}` : ""})`,
    `  data folder       ${dataDir}`,
    ...unusual,
  ];
  if (demo !== undefined) {
    lines.push(
      `  demo API key      ${demo.apiKey}`,
      `  demo client       ${demo.clientId}`,
      `  client secret     ${demo.clientSecret}`,
    );
    const seats = await findSeatsToTry(models, now);
    if (seats !== undefined) lines.push("", ...commandsToPaste(baseUrl, demo.apiKey, seats));
  } else {
    lines.push("  next              npx tbs --help: accounts, keys, flights");
  }
  return `${lines.join("\n")}\n`;
}

function commandsToPaste(baseUrl: string, apiKey: string, { flightId, seats }: SeatsToTry): readonly string[] {
  const call = `curl -sS -H 'x-api-key: ${apiKey}' -H 'Content-Type: application/json'`;
  const id = `sed -E 's/^\\{"id":"([^"]+)".*/\\1/'`;
  return [
    "Hold two seats, book them, pay:",
    `  HOLD=$(${call} ${baseUrl}/v1/flights/${flightId}/seat-holds -d '{"seats":${JSON.stringify(seats)}}' | ${id})`,
    `  BOOKING=$(${call} ${baseUrl}/v1/bookings -d '{"flightId":"${flightId}","cabin":"economy","holdId":"'$HOLD'","passengers":[{"name":"Ada Lovelace","email":"ada@example.com"},{"name":"Alan Turing","email":"alan@example.com"}]}' | ${id})`,
    `  ${call} -H "Idempotency-Key: pay-$BOOKING" ${baseUrl}/v1/bookings/$BOOKING/payments -d '{"type":"card","token":"tok_visa"}'`,
    `  ${call} ${baseUrl}/v1/bookings/$BOOKING`,
  ];
}

/** A flight with two available seats, for the commands at the end of the summary. */
interface SeatsToTry {
  readonly flightId: string;
  readonly seats: readonly [string, string];
}

const CANDIDATE_FLIGHTS = 20;

/** The next flight with two available seats in economy. */
async function findSeatsToTry(models: ReadModels, now: number): Promise<SeatsToTry | undefined> {
  const { model, byDeparture } = FLIGHTS.flight;
  const page = await models.page(model, {
    index: byDeparture,
    partition: ALL_PARTITION,
    order: "ascending",
    limit: CANDIDATE_FLIGHTS,
    from: timeSortKey(now),
  });
  for (const { key } of page) {
    const seats = await findFlightSeats(models, key);
    const plan = seats?.plan.cabins.find(({ cabin }) => cabin === "economy");
    if (seats === undefined || plan === undefined) continue;
    const free = seatsOf(plan).filter(({ number }) => seatStatus(seats, "economy", number, now) === "available");
    const [one, other] = free;
    if (one !== undefined && other !== undefined) return { flightId: key, seats: [one.number, other.number] };
  }
  return undefined;
}
