import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "@travel-booking/runtime";
import type { DueDeliveries } from "@travel-booking/webhooks/deliveries";
import type { DueWork } from "../obligations/due-work.ts";

/** Real time. */
const LOOK_EVERY_MS = 100;
const GIVE_UP_AFTER_MS = 120_000;

/** Deliveries that fall due, which another service attempts: a dispatcher sees the clock move, and this waits for it. */
export function dueElsewhere(due: DueDeliveries, clock: Clock): DueWork {
  return {
    nextDue: (now) => due.next(now),
    async settled() {
      const now = clock.now();
      for (const from = performance.now(); !(await due.isSettled(now)); await pause(LOOK_EVERY_MS)) {
        if (performance.now() - from > GIVE_UP_AFTER_MS)
          throw new Error("deliveries are due, and no dispatcher attempts them");
      }
    },
  };
}
