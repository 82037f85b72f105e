import { once } from "node:events";
import type { Leases } from "@travel-booking/engines/leases";
import type { Shutdown } from "@travel-booking/runtime";
import type { Scheduler } from "../due-tasks/scheduler.ts";

/**
 * What falls due is met by one instance at a time, another takes over within seconds. Two at once would do no harm:
 * meeting an obligation twice changes nothing.
 */
export function scheduleUnderLease(
  leases: Leases,
  newScheduler: () => Pick<Scheduler, "start" | "stop">,
  shutdown: Shutdown,
  lease = "scheduler",
): void {
  const stop = new AbortController();
  const held = leases.runUnderLease(
    lease,
    async (signal) => {
      const scheduler = newScheduler();
      scheduler.start();
      if (!signal.aborted) await once(signal, "abort");
      await scheduler.stop();
    },
    { signal: stop.signal },
  );
  shutdown.register(lease, async () => {
    stop.abort();
    await held;
  });
}
