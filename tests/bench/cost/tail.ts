import { Child } from "../children/child.ts";
import type { RequestTemplate } from "../load/job.ts";
import type { VisibilityReport, VisibilityTask } from "../load/visibility.ts";
import { bookings } from "./commands.ts";
import { WARM_UP } from "./meter.ts";
import { oncePerRound } from "./reference.ts";
import { least, type Row } from "./row.ts";
import type { Side } from "./side.ts";

const CAPACITY_OPERATIONS = 20_000;
const SECONDS = 5;
const PROBES = 4;
const TRACE_GC = new URL("../service/trace-gc.js", import.meta.url).href;

/** `[12:0x7f] 345 ms: Scavenge 12.3 (45.6) -> 7.8 (9.0) MB, pooled: 0 MB, 1.23 / 0.00 ms …` */
const SCAVENGE = /^.*Scavenge[^\n]*?MB[^/\n]*?([\d.]+) \/ [\d.]+ ms.*$/gm;

/** In milliseconds. */
interface Round {
  readonly base: number;
  readonly p99: number;
  readonly visible: number;
  readonly scavenges: readonly number[];
}

/** Bookings at half of the rate the service is capable of, beside (c) at the same rate, and how soon others see them. */
export async function tail(side: Side): Promise<Row> {
  const { bench, meter } = side;
  const prober = new Child<VisibilityTask, VisibilityReport>(new URL("../load/visibility.ts", import.meta.url));
  bench.atEnd(() => prober.stop());
  const started = await side.start({ NODE_OPTIONS: `--import=${TRACE_GC}` });
  const { service, operations } = started;
  const booked = bookings(side, started);
  await meter.send(booked, WARM_UP);
  const { report } = await meter.send(booked, CAPACITY_OPERATIONS);
  const { count, pace, base } = await side.shared(async () => {
    const perSecond = Math.floor(report.perSecond / 2);
    const count = perSecond * SECONDS;
    const pace = { seconds: SECONDS, pace: { kind: "open", perSecond } } as const;
    const p99 = async () => (await meter.send(side.validatedPost, count, pace)).report.latency.p99;
    return { count, pace, base: oncePerRound(p99) };
  });
  const rate = `at ${pace.pace.perSecond} bookings/s`;
  const visibleWrites = () => {
    const { unsold } = side.store.contents;
    return operations.book(unsold.length, unsold).map((write) => {
      const read: RequestTemplate = { method: "GET", path: "/v1/bookings/", headers: operations.readerOf(write) };
      return { write, read };
    });
  };
  return {
    async measure(round): Promise<Round> {
      const tracedBefore = service.stdout.length;
      const reference99 = await base(round);
      const [seen, sent] = await Promise.all([
        prober.run({ port: service.port, requests: visibleWrites(), probes: PROBES, seconds: SECONDS }),
        meter.send(booked, count, pace),
      ]);
      const traced = [...service.stdout.slice(tracedBefore).matchAll(SCAVENGE)];
      const longestFirst = traced.sort(([, one], [, other]) => Number(other) - Number(one));
      if (longestFirst.length === 0) throw new Error("no collection was traced");
      for (const [line] of longestFirst.slice(0, 2)) bench.say(line);
      const [p99, visible] = [sent.report.latency.p99, seen.latency.p99];
      bench.say(
        `tail, round ${round}: p99 ${p99.toFixed(1)} beside ${reference99.toFixed(1)} ms, visible ${visible.toFixed(1)}`,
      );
      return { base: reference99, p99, visible, scavenges: longestFirst.map(([, ms]) => Number(ms)) };
    },
    figures(rounds: readonly Round[]) {
      const [p99, base] = [least(rounds, "p99"), least(rounds, "base")];
      const scavenges = rounds.flatMap((round) => round.scavenges);
      return [
        { goal: "tail", value: p99 - base, detail: `${p99.toFixed(1)} − ${base.toFixed(1)} ms, ${rate}` },
        { goal: "visible", value: least(rounds, "visible"), detail: rate },
        { goal: "scavenge", value: Math.max(...scavenges), detail: `of ${scavenges.length}, ${rate}` },
      ];
    },
  };
}
