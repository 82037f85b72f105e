import { catalogueOf, flightPlan } from "../data/bench-flights.ts";
import { posts } from "./commands.ts";
import { megabytesOf } from "./process-figures.ts";
import type { Row } from "./row.ts";
import type { Side } from "./side.ts";

const AT_ONCE = 20_000;
const SOME = 160_000;
const MANY = 320_000;
const FLIGHTS = 1_200;
const IMPORTED_AT_ONCE = 200;
const A_YEAR = 365 * 86_400_000;

/** In MB. */
interface Round {
  readonly some: number;
  readonly many: number;
}

/** What the process keeps after many bookings, and after twice as many. */
export async function memory(side: Side): Promise<Row> {
  const { service, operations } = await side.start();
  const flights = Array.from({ length: FLIGHTS }, (_, index) => flightPlan(`many-${index}`, Date.now() + A_YEAR));
  for (let from = 0; from < FLIGHTS; from += IMPORTED_AT_ONCE) {
    const catalogue = catalogueOf(flights.slice(from, from + IMPORTED_AT_ONCE));
    await service.operator.request("POST", "/operator/catalogue", catalogue);
  }
  const ids = flights.map(({ flightId }) => flightId);
  const bookings = posts(service, (count) => operations.book(count, ids));
  const after = async (from: number, to: number) => {
    for (let made = from; made < to; made += AT_ONCE) await side.meter.send(bookings, AT_ONCE);
    const megabytes = megabytesOf(service.pid).anonymous;
    side.bench.say(`after ${to} bookings: ${megabytes.toFixed(0)} MB`);
    return megabytes;
  };
  return {
    once: true,
    measure: async (): Promise<Round> => ({ some: await after(0, SOME), many: await after(SOME, MANY) }),
    figures: (rounds: readonly Round[]) =>
      rounds.flatMap(({ some, many }) => [
        { goal: "memory", value: some, detail: `after ${SOME} bookings` },
        { goal: "memory-growth", value: many / some, detail: `${many.toFixed(0)} MB after ${MANY}` },
      ]),
  };
}
