import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../service/service.ts";
import { cpuSeconds, megabytesOf } from "./process-figures.ts";
import { least, type Row } from "./row.ts";
import type { Side } from "./side.ts";

const QUIET_MS = 500;
/** Share of a core. */
const QUIET = 0.2;

/** Of one event: CPU in microseconds. Of a rebuild: seconds, and the most anonymous memory in MB. */
interface Round {
  readonly cpu: number;
  readonly base: number;
  readonly seconds: number;
  readonly peak: number;
}

/** The projection of bookings is rebuilt while it is served, and the generation before it removed. */
export async function rebuild(side: Side): Promise<Row> {
  const { service } = await side.start();
  const events = side.store.bookingEvents;
  await rebuildOnce(service);
  return {
    async measure(round): Promise<Round> {
      const base = await side.validatedPostCpu(round);
      const before = cpuSeconds(service.pid);
      const { seconds, peak } = await rebuildOnce(service);
      const cpu = ((cpuSeconds(service.pid) - before) / events) * 1e6;
      const rate = Math.round(events / seconds);
      side.bench.say(`rebuild, round ${round}: ${cpu.toFixed(1)} ÷ ${base.toFixed(1)} µs an event, ${rate} events/s`);
      return { cpu, base, seconds, peak };
    },
    figures(rounds: readonly Round[]) {
      const [cpu, base] = [least(rounds, "cpu"), least(rounds, "base")];
      const peak = Math.round(Math.max(...rounds.map((round) => round.peak)));
      const detail = `${cpu.toFixed(1)} µs ÷ ${base.toFixed(1)} µs, ${events} events`;
      return [
        { goal: "rebuild", value: cpu / base, detail },
        {
          goal: "rebuild-rate",
          value: events / least(rounds, "seconds"),
          detail: `up to ${peak} MB of anonymous memory`,
        },
      ];
    },
  };
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
