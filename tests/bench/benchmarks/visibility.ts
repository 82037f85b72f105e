import type { Bench } from "../bench.ts";
import { Child } from "../children/child.ts";
import type { VisibilityReport, VisibilityTask } from "../load/visibility.ts";
import type { Measurement, Round } from "../report/measurement.ts";
import { halfLoad } from "./half-load.ts";
import type { HttpBench } from "./http-bench.ts";

const PROBES = 4;

/**
 * P10: bookings are made at half load; some besides are looked for under another credential, which does not wait for
 * what the first one wrote.
 */
export async function measureVisibility(http: HttpBench, bench: Bench): Promise<readonly Measurement[]> {
  const pace = await halfLoad(http);
  const prober = new Child<VisibilityTask, VisibilityReport>(new URL("../load/visibility.ts", import.meta.url));
  bench.atEnd(() => prober.stop());
  const rounds: Round[] = [];
  let samples = 0;
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    const task: VisibilityTask = {
      port: http.service.port,
      write: await http.freshBooking(),
      read: { method: "GET", path: "/v1/bookings/", headers: http.account.reader },
      probes: PROBES,
      seconds: bench.options.seconds,
    };
    const background = await http.prepare("book", "many flights");
    const [report] = await Promise.all([prober.run(task), http.send(background, pace)]);
    samples += report.samples;
    bench.say(`visibility, round ${round}: p99 ${report.latency.p99.toFixed(1)} ms of ${report.samples}`);
    rounds.push({ measured: report.latency.p99, reference: null });
  }
  const note = `${samples} bookings looked for, at ${pace.perSecond} bookings/s`;
  return [{ goal: "P10", subject: "a booking", unit: "ms", rounds, note }];
}
