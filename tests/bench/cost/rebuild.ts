import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../service/service.ts";
import type { CostBench } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";
import { cpuSeconds, megabytesOf } from "./process-figures.ts";

/** After one that is not measured. */
const REBUILDS = 2;
const QUIET_MS = 500;
/** Share of a core. */
const QUIET = 0.2;

/** The projection of bookings is rebuilt while it is served, and the generation before it removed. */
export function rebuild(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service) => {
    const events = cost.store.bookingEvents;
    const reference = await cost.validatedPost();
    const base = Math.min(...(await cost.leastCosts("(c)", [reference])));
    await rebuildOnce(service);
    const rounds: { readonly cpu: number; readonly seconds: number; readonly peak: number }[] = [];
    for (let round = 1; round <= REBUILDS; round += 1) {
      const before = cpuSeconds(service.pid);
      const { seconds, peak } = await rebuildOnce(service);
      const cpu = ((cpuSeconds(service.pid) - before) / events) * 1e6;
      cost.bench.say(
        `rebuild, round ${round}: ${cpu.toFixed(1)} µs an event, ${Math.round(events / seconds)} events/s`,
      );
      rounds.push({ cpu, seconds, peak });
    }
    const cpu = Math.min(...rounds.map((round) => round.cpu));
    const seconds = Math.min(...rounds.map((round) => round.seconds));
    const peak = Math.max(...rounds.map((round) => round.peak));
    return [
      { goal: "rebuild", value: cpu / base, detail: `${cpu.toFixed(1)} µs ÷ ${base.toFixed(1)} µs, ${events} events` },
      { goal: "rebuild-rate", value: events / seconds, detail: `up to ${Math.round(peak)} MB of anonymous memory` },
    ];
  });
}

async function rebuildOnce(service: Service): Promise<{ readonly seconds: number; readonly peak: number }> {
  let peak = 0;
  for await (const line of service.operator.lines("POST", "/operator/projections/bookings/rebuild")) {
    peak = Math.max(peak, megabytesOf(service.pid).anonymous);
    const { result, error } = line as { readonly result?: { readonly seconds: number }; readonly error?: unknown };
    if (error !== undefined) throw new Error(`the rebuild failed: ${JSON.stringify(error)}`);
    if (result === undefined) continue;
    await quiet(service.pid);
    return { seconds: result.seconds, peak };
  }
  throw new Error("the rebuild ended without a result");
}

/** Resolves when a process does next to nothing. */
async function quiet(pid: number): Promise<void> {
  for (let before = cpuSeconds(pid); ; ) {
    await delay(QUIET_MS);
    const now = cpuSeconds(pid);
    if (now - before < (QUIET * QUIET_MS) / 1_000) return;
    before = now;
  }
}
