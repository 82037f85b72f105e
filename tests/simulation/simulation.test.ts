import { describe, test } from "@jest/globals";
import fc from "fast-check";
import { stalledBooking, steps } from "./clients/steps.ts";
import { Interleaving } from "./run/interleaving.ts";
import { Simulation } from "./run/simulation.ts";

/** `SIMULATION_RUNS` makes it longer, `PROPERTY_SEED` runs it with another seed. */
const RUNS = Number(process.env.SIMULATION_RUNS ?? 1_200);
const SECONDS_PER_RUN = 1;

describe("requests, timers, faults and crashes in every order", () => {
  test.each([
    ["one process", 1, steps, RUNS],
    ["two processes on one log", 2, steps, RUNS],
    ["two processes, of which one stands still with a booking", 2, stalledBooking, Math.ceil(RUNS / 4)],
  ])(
    "%s: no seat twice, no cent astray, no promise broken",
    async (_, instances, arbitrary, numRuns) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), arbitrary, async (scheduler, taken) => {
          const world = new Simulation(new Interleaving(scheduler), instances);
          await world.run(taken);
        }),
        { numRuns },
      );
    },
    60_000 + RUNS * SECONDS_PER_RUN * 1_000,
  );
});
