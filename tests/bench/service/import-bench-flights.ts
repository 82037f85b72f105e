import type { SeatBlock } from "../load/job.ts";
import type { BenchService } from "./bench-service.ts";

const LAYOUT = "ABCDEFGHIJKLM NOPQRSTUVWXYZ";
const COLUMNS = LAYOUT.replace(" ", "");
const MAX_ROWS = 999;
const DAY = 86_400_000;

const DESTINATION = {
  id: "bench",
  name: "Bench",
  system: "Bench",
  distanceLy: 4.2,
  gravity: 1,
  climate: "temperate",
};

let imported = 0;

function flight(rows: number) {
  imported += 1;
  return {
    id: `bench-${process.pid}-${imported}`,
    from: "LEO",
    destinationId: DESTINATION.id,
    departsAt: new Date(Date.now() + 200 * DAY).toISOString(),
    durationDays: 480,
    cabins: [{ cabin: "economy", deck: 1, amount: 129_900, currency: "USD", layout: LAYOUT, rows: [1, rows] }],
  };
}

/** Imports new flights of one cabin with `seats` seats in all, on so many flights or on as few as hold them. */
export async function importBenchFlights(
  { operator }: BenchService,
  seats: number,
  flights?: number,
): Promise<readonly SeatBlock[]> {
  const rows = flights === undefined ? MAX_ROWS : Math.ceil(seats / flights / COLUMNS.length);
  const count = flights ?? Math.ceil(seats / (MAX_ROWS * COLUMNS.length));
  const catalogue = { destinations: [DESTINATION], flights: Array.from({ length: count }, () => flight(rows)) };
  await operator.request("POST", "/operator/catalogue", catalogue);
  return catalogue.flights.map(({ id }) => ({ flightId: id, columns: COLUMNS, rows }));
}
