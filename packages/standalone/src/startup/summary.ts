import type { DemoAccount } from "../data-folder-files.ts";
import type { SeatsToTry } from "./seats-to-try.ts";

export interface StartupSummaryOptions {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly dataDir: string;
  readonly demo: DemoAccount | undefined;
  /** Something to try the service on. */
  readonly seats: SeatsToTry | undefined;
}

/** What standard output says once the service is ready. */
export function startupSummary({ baseUrl, operatorUrl, dataDir, demo, seats }: StartupSummaryOptions): string {
  const lines = [
    "Travel Booking Service is ready.",
    `  base address      ${baseUrl}`,
    `  operator address  ${operatorUrl}`,
    `  data folder       ${dataDir}`,
  ];
  if (demo !== undefined) {
    lines.push(
      `  demo API key      ${demo.apiKey}`,
      `  demo client       ${demo.clientId}`,
      `  client secret     ${demo.clientSecret}`,
    );
    if (seats !== undefined) lines.push("", ...commandsToPaste(baseUrl, demo.apiKey, seats));
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
