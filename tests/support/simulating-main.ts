/**
 * Runs the service as `npm start` does, with what tests simulate (docs/testing.md#settings-for-tests-only): a machine
 * whose clock is ahead, a power cut at a step, and an event loop that stands still from a step on.
 */
import { runStandalone } from "@travel-booking/standalone/run";

const {
  TEST_FAULT_POINT: deadlyStep,
  TEST_HANG_POINT: hangingStep,
  TEST_CLOCK_AHEAD_SECONDS: aheadSeconds = "0",
} = process.env;

await runStandalone({
  machineClock: { now: () => Date.now() + Number(aheadSeconds) * 1_000 },
  reachedFaultPoint(step) {
    if (step === deadlyStep) process.kill(process.pid, "SIGKILL");
    while (step === hangingStep);
  },
});
