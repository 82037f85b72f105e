import { join } from "node:path";
import type { Settings } from "@travel-booking/runtime";
import type { DemoAccount } from "./demo.ts";

interface StartupSummaryOptions {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly settings: Settings;
  /** The result of `unusualLines`. */
  readonly unusual: readonly string[];
  readonly demo: DemoAccount | undefined;
}

/** The text on standard output once the service is ready. */
export function startupSummary(options: StartupSummaryOptions): string {
  const { baseUrl, operatorUrl, settings, unusual, demo } = options;
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
    lines.push("", ...commandsToPaste(baseUrl, demo.apiKey));
  } else {
    lines.push("  next              npx tbs --help: accounts, keys, flights");
  }
  return `${lines.join("\n")}\n`;
}

/** Commands that book what is free when they are pasted. README.md and the guides of the reference have the same helpers. */
function commandsToPaste(baseUrl: string, apiKey: string): readonly string[] {
  const hasTwoSeats = 'flight => flight.fares.some(fare => fare.cabin === "economy" && fare.seatsLeft > 1)';
  const twoSeats =
    'cabins.find(c => c.cabin === "economy").rows.flatMap(r => r.seats).filter(s => s.status === "available").slice(0, 2)';
  const passengers =
    '[{"name":"Ada Lovelace","email":"ada@example.com"},{"name":"Alan Turing","email":"alan@example.com"}]';
  const booking = `{"flightId":"$FLIGHT","cabin":"economy","holdId":"$HOLD","passengers":${passengers}}`;
  // In double quotes, where shells put in variables.
  const quoted = (json: string) => JSON.stringify(json);
  return [
    "Hold two seats, book them, pay:",
    `  BASE=${baseUrl}`,
    `  KEY=${apiKey}`,
    `  api() { curl -sS -w '\\n' -H "x-api-key: $KEY" -H "Content-Type: application/json" "$@"; }`,
    `  pick() { node -e 'const text = fs.readFileSync(0, "utf8"); let found`,
    `    try { found = eval("JSON.parse(text)." + process.argv[1]) } catch {}`,
    `    if (found === undefined) { console.error(text.trim()); process.exit(1) } else console.log(found)' "$1"; }`,
    `  AFTER=$(node -p 'new Date(Date.now() + 30 * 86400000).toISOString().slice(0, 10)')`,
    `  FLIGHT=$(api "$BASE/v1/flights?cabin=economy&departsAfter=$AFTER" | pick 'data.find(${hasTwoSeats}).id')`,
    `  SEATS=$(api "$BASE/v1/flights/$FLIGHT/seat-map" | pick '${twoSeats}.map(s => JSON.stringify(s.number)).join()')`,
    `  HOLD=$(api "$BASE/v1/flights/$FLIGHT/seat-holds" -d ${quoted('{"seats":[$SEATS]}')} | pick id)`,
    `  BOOKING=$(api "$BASE/v1/bookings" -d ${quoted(booking)} | pick id)`,
    `  api "$BASE/v1/bookings/$BOOKING/payments" -H "Idempotency-Key: pay-$BOOKING" -d '{"type":"card","token":"tok_visa"}'`,
    `  api "$BASE/v1/bookings/$BOOKING"`,
  ];
}
