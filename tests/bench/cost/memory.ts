import { catalogueOf, flightPlan } from "../data/bench-flights.ts";
import { posts } from "./commands.ts";
import type { CostBench } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";
import { megabytesOf } from "./process-figures.ts";

const AT_ONCE = 20_000;
const SOME = 160_000;
const MANY = 320_000;
const FLIGHTS = 1_200;
const IMPORTED_AT_ONCE = 200;
const A_YEAR = 365 * 86_400_000;

/** What the process keeps after many bookings, and after twice as many. */
export function memory(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const flights = Array.from({ length: FLIGHTS }, (_, index) => flightPlan(`many-${index}`, Date.now() + A_YEAR));
    for (let from = 0; from < FLIGHTS; from += IMPORTED_AT_ONCE) {
      const catalogue = catalogueOf(flights.slice(from, from + IMPORTED_AT_ONCE));
      await service.operator.request("POST", "/operator/catalogue", catalogue);
    }
    const ids = flights.map(({ flightId }) => flightId);
    const bookings = posts(service, (count) => operations.book(count, ids));
    const after: number[] = [];
    for (let made = AT_ONCE; made <= MANY; made += AT_ONCE) {
      await cost.send(bookings, AT_ONCE);
      const megabytes = megabytesOf(service.pid).anonymous;
      cost.bench.say(`after ${made} bookings: ${megabytes.toFixed(0)} MB`);
      if (made === SOME || made === MANY) after.push(megabytes);
    }
    const [some = 0, many = 0] = after;
    return [
      { goal: "memory", value: some, detail: `after ${SOME} bookings` },
      { goal: "memory-growth", value: many / some, detail: `${many.toFixed(0)} MB after ${MANY}` },
    ];
  });
}
