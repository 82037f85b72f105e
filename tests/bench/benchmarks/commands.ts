import { type Bench, interleave } from "../bench.ts";
import type { Measurement } from "../report/measurement.ts";
import type { HttpBench } from "./http-bench.ts";

const SUBJECTS = { hold: "hold seats", book: "book" } as const;

/** P1: durable commands, spread over many flights. */
export async function measureCommands(http: HttpBench, bench: Bench): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  await http.validatedPost();
  for (const command of ["hold", "book"] as const) {
    await http.commands(command, "many flights");
    const rounds = await interleave(bench, SUBJECTS[command], {
      reference: async () => (await http.validatedPost()).perSecond,
      measured: async () => (await http.commands(command, "many flights")).perSecond,
    });
    measurements.push({ goal: "P1", subject: SUBJECTS[command], unit: "requests/s", rounds });
  }
  return measurements;
}
