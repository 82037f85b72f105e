import { posts } from "./commands.ts";
import type { CostBench } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";

const BOOKINGS = 1_000;

/** Bookings one after another: what one takes where nothing is shared with others. */
export function oneConnection(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const bookings = posts(service, (count) => operations.book(count, cost.store.contents.open));
    await cost.send(bookings, 20_000);
    const least = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };
    for (let round = 1; round <= cost.bench.options.rounds; round += 1) {
      const { cpu, report } = await cost.send(bookings, BOOKINGS, { connections: 1 });
      least.wall = Math.min(least.wall, report.latency.p50);
      least.cpu = Math.min(least.cpu, (cpu / BOOKINGS) * 1_000);
    }
    return [
      { goal: "one-wall", value: least.wall, detail: "median of a round, the least of all" },
      { goal: "one-cpu", value: least.cpu, detail: "" },
    ];
  });
}
