import { setTimeout } from "node:timers/promises";
import type { SandboxClock, Shutdown } from "@travel-booking/runtime";
import { CLOCK_SYNC_INTERVAL_MS, syncClock } from "@travel-booking/service-host";
import type { ClockServices } from "../operator/clock.ts";

/** Instances look that often; a busy one may be late by one look. */
const POLLS = 3;

/** A clock that other instances move, too. A move is answered when they all have had the time to follow. */
export function sharedClock(
  clock: SandboxClock,
  movable: boolean,
  advanceTo: ClockServices["advanceTo"],
  shutdown: Shutdown,
): ClockServices {
  if (movable) syncClock(clock, shutdown);
  return {
    clock,
    movable,
    async advanceTo(target) {
      await advanceTo(target);
      await setTimeout(POLLS * CLOCK_SYNC_INTERVAL_MS);
    },
  };
}
