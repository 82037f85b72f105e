import { ReviewerPool } from "@travel-booking/document-reviewer";
import type { BlobStore } from "@travel-booking/engines/blob-store";
import type { Leases } from "@travel-booking/engines/leases";
import type { Lifecycle } from "@travel-booking/http";
import type { ProjectorControl } from "@travel-booking/read-models/control";
import type { Metrics, SandboxClock, Shutdown } from "@travel-booking/runtime";
import { UploadStore } from "../documents/uploads.ts";
import type { ClockDrivenWork } from "../due-tasks/clock-driven-work.ts";
import { combineWork } from "../due-tasks/combine-work.ts";
import { CatchUpMonitor } from "./catch-up-monitor.ts";
import { type CommandServicesOptions, commandServices } from "./command-services.ts";
import { CountingHandler } from "./counting-handler.ts";
import { documentReviews } from "./document-reviews.ts";
import { dueTasks } from "./due-tasks.ts";
import { registerGauges } from "./gauges.ts";
import { scheduleUnderLease } from "./schedule-under-lease.ts";
import { startUploadSweeper } from "./start-upload-sweeper.ts";

export interface CommandSideOptions extends Omit<CommandServicesOptions, "handler" | "catchUpMonitor" | "documents"> {
  readonly clock: SandboxClock;
  readonly blobs: BlobStore;
  readonly projector: ProjectorControl;
  /** Deliveries that fall due. */
  readonly deliveries: ClockDrivenWork;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly shutdown: Shutdown;
}

/** All that decides and follows up, on whatever engines, in one process with everything else or in one of its own. */
export function commandSide(options: CommandSideOptions) {
  const { events, state, progress, clock, blobs, projector, deliveries, metrics, lifecycle, shutdown } = options;
  const catchUpMonitor = new CatchUpMonitor(projector, progress, events);
  const handler = new CountingHandler({ store: events, clock });
  const reviewer = new ReviewerPool();
  const documents = { uploads: new UploadStore(blobs, state), reviewer };
  const services = commandServices({ ...options, handler, catchUpMonitor, documents });
  const reviews = documentReviews({ services, clock, progress, lifecycle, metrics });
  const alsoDue = combineWork(reviews.due, deliveries);
  const due = dueTasks({ services, clock, progress, catchUpMonitor, lifecycle, otherWork: alsoDue });
  registerGauges({ metrics, handler, events, projector, progress, list: due.list, clock });

  return {
    services,
    catchUpMonitor,
    advanceTo: due.advanceTo,
    /** What falls due is met from here on: by whoever holds the lease; without leases, by this process alone. */
    async start(leases: Leases | undefined): Promise<void> {
      if (leases === undefined) {
        for (const scheduler of [due.scheduler, reviews.newScheduler()]) {
          scheduler.start();
          shutdown.register("scheduler", () => scheduler.stop());
        }
      } else {
        scheduleUnderLease(leases, due.newScheduler, shutdown);
        scheduleUnderLease(leases, reviews.newScheduler, shutdown, "document reviews");
      }
      // Ended before the scheduler, which waits for what it has begun.
      shutdown.register("reviewer", () => reviewer.stop());
      await startUploadSweeper(services, leases === undefined, shutdown);
    },
  };
}
