import { interleave } from "../bench.ts";
import type { Measurement } from "../report/measurement.ts";
import type { Benchmark } from "./benchmark.ts";
import { HttpBench } from "./http-bench.ts";

const SUBJECTS = { hold: "hold seats", book: "book" } as const;

/** P2: everybody on one flight, against the same spread over many. */
export const hotFlight: Benchmark = {
  goals: ["P2"],
  async measure(bench) {
    const http = await HttpBench.start(bench);
    const measurements: Measurement[] = [];
    for (const command of ["hold", "book"] as const) {
      await http.commands(command, "one flight");
      const rounds = await interleave(bench, `${SUBJECTS[command]}, one flight ÷ many`, {
        reference: async () => (await http.commands(command, "many flights")).perSecond,
        measured: async () => (await http.commands(command, "one flight")).perSecond,
      });
      measurements.push({ goal: "P2", subject: SUBJECTS[command], unit: "requests/s", rounds });
    }
    return measurements;
  },
};
