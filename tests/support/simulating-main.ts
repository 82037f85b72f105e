/**
 * Runs the service as `npm start` does, with what tests simulate (docs/testing.md#settings-for-tests-only): a machine
 * whose clock is ahead, and a power cut at a step.
 */
import { runStandalone } from "@travel-booking/standalone/run";

const { TEST_FAULT_POINT: deadlyStep, TEST_CLOCK_AHEAD_SECONDS: aheadSeconds = "0" } = process.env;

await runStandalone({
  machineClock: { now: () => Date.now() + Number(aheadSeconds) * 1_000 },
  reachedFaultPoint(step) {
    if (step === deadlyStep) process.kill(process.pid, "SIGKILL");
  },
});
