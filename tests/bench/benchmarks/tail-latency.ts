import { type Bench, interleave } from "../bench.ts";
import type { Measurement } from "../report/measurement.ts";
import { halfLoad } from "./half-load.ts";
import type { HttpBench } from "./http-bench.ts";

/** P9: bookings at a constant rate, against the bare reference at the same rate. */
export async function measureTailLatency(http: HttpBench, bench: Bench): Promise<readonly Measurement[]> {
  const pace = await halfLoad(http);
  await http.validatedPost(pace);
  await http.commands("book", "many flights", pace);
  const rounds = await interleave(bench, "p99 at half load", {
    reference: async () => (await http.validatedPost(pace)).latency.p99,
    measured: async () => (await http.commands("book", "many flights", pace)).latency.p99,
  });
  const note = `at ${pace.perSecond} bookings/s, latency counted from when each request was due`;
  return [{ goal: "P9", subject: "book", unit: "ms", rounds, note }];
}
