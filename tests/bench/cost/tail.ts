import { Child } from "../children/child.ts";
import type { VisibilityReport, VisibilityTask } from "../load/visibility.ts";
import { posts } from "./commands.ts";
import { type CostBench, WARM_UP } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";

const CAPACITY_OPERATIONS = 20_000;
const SECONDS = 5;
const PROBES = 4;
const TRACE_GC = new URL("../service/trace-gc.js", import.meta.url).href;

/** `[12:0x7f] 345 ms: Scavenge 12.3 (45.6) -> 7.8 (9.0) MB, pooled: 0 MB, 1.23 / 0.00 ms …` */
const SCAVENGE = /^.*Scavenge[^\n]*?MB[^/\n]*?([\d.]+) \/ [\d.]+ ms.*$/gm;

/** Bookings at half of the rate the service is capable of, beside (c) at the same rate, and how soon others see them. */
export function tail(cost: CostBench): Promise<readonly CostFigure[]> {
  const prober = new Child<VisibilityTask, VisibilityReport>(new URL("../load/visibility.ts", import.meta.url));
  cost.bench.atEnd(() => prober.stop());
  return cost.withService(
    async (service, operations) => {
      const reference = await cost.validatedPost();
      const bookings = posts(service, (count) => operations.book(count, cost.store.contents.open));
      await cost.send(bookings, WARM_UP);
      const { report } = await cost.send(bookings, CAPACITY_OPERATIONS);
      const perSecond = Math.floor(report.perSecond / 2);
      const pace = { seconds: SECONDS, pace: { kind: "open", perSecond } } as const;
      const count = perSecond * SECONDS;
      const tracedBefore = service.stdout.length;
      const rounds: { readonly base: number; readonly p99: number; readonly visible: number }[] = [];
      for (let round = 1; round <= cost.bench.options.rounds; round += 1) {
        const base = (await cost.send(reference, count, pace)).report.latency.p99;
        const { unsold } = cost.store.contents;
        const requests = operations.book(unsold.length, unsold).map((write) => {
          return {
            write,
            read: { method: "GET", path: "/v1/bookings/", headers: operations.readerOf(write) },
          } as const;
        });
        const [seen, sent] = await Promise.all([
          prober.run({ port: service.port, requests, probes: PROBES, seconds: SECONDS }),
          cost.send(bookings, count, pace),
        ]);
        const p99 = sent.report.latency.p99;
        const visible = seen.latency.p99;
        cost.bench.say(
          `tail, round ${round}: p99 ${p99.toFixed(1)} beside ${base.toFixed(1)} ms, visible ${visible.toFixed(1)}`,
        );
        rounds.push({ base, p99, visible });
      }
      const least = (of: "base" | "p99" | "visible") => Math.min(...rounds.map((round) => round[of]));
      const traced = [...service.stdout.slice(tracedBefore).matchAll(SCAVENGE)];
      const longestFirst = traced.sort(([, one], [, other]) => Number(other) - Number(one));
      if (longestFirst.length === 0) throw new Error("no collection was traced");
      for (const [line] of longestFirst.slice(0, 5)) cost.bench.say(line);
      const scavenges = longestFirst.map(([, ms]) => Number(ms));
      const rate = `at ${perSecond} bookings/s`;
      return [
        {
          goal: "tail",
          value: least("p99") - least("base"),
          detail: `${least("p99").toFixed(1)} − ${least("base").toFixed(1)} ms, ${rate}`,
        },
        { goal: "visible", value: least("visible"), detail: rate },
        { goal: "scavenge", value: Math.max(...scavenges), detail: `of ${scavenges.length}, ${rate}` },
      ];
    },
    { NODE_OPTIONS: `--import=${TRACE_GC}` },
  );
}
