import { posts } from "./commands.ts";
import { type CostBench, WARM_UP } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";

const CAPACITY_OPERATIONS = 20_000;
const SECONDS = 5;
/** More than the service handles at once. */
const CONNECTIONS = 2_500;

/** Twice as many bookings a second as the service is capable of: it refuses with 503 what is too much. */
export function overload(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const bookings = posts(service, (count) => operations.book(count, cost.store.contents.open));
    await cost.send(bookings, WARM_UP);
    const { perSecond: capacity } = (await cost.send(bookings, CAPACITY_OPERATIONS)).report;
    const perSecond = Math.floor(capacity * 2);
    const { report } = await cost.send(bookings, perSecond * SECONDS, {
      seconds: SECONDS,
      pace: { kind: "open", perSecond },
      connections: CONNECTIONS,
      toleratedStatus: 503,
    });
    const goodput = (report.statuses[201] ?? 0) / report.seconds;
    const detail = `${goodput.toFixed(0)} ÷ ${capacity.toFixed(0)} bookings/s, ${report.statuses[503] ?? 0} refused`;
    return [{ goal: "overload", value: goodput / capacity, detail }];
  });
}
