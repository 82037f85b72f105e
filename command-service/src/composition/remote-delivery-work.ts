import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "@travel-booking/runtime";
import type { DueDeliveries } from "@travel-booking/webhooks/deliveries";
import type { ClockDrivenWork } from "../due-tasks/clock-driven-work.ts";

/** Real time. */
const POLL_INTERVAL_MS = 100;
const GIVE_UP_AFTER_MS = 120_000;

/** Deliveries that fall due, which another service attempts: a dispatcher sees the clock move, and this waits for it. */
export function remoteDeliveryWork(due: DueDeliveries, clock: Clock): ClockDrivenWork {
  return {
    nextDueAt: (now) => due.nextDueAt(now),
    async drained() {
      const now = clock.now();
      for (const from = performance.now(); !(await due.isSettled(now)); await pause(POLL_INTERVAL_MS)) {
        if (performance.now() - from > GIVE_UP_AFTER_MS)
          throw new Error("deliveries are due, and no dispatcher attempts them");
      }
    },
  };
}
