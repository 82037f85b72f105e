import { setTimeout as pause } from "node:timers/promises";
import { POOL_SIZE } from "@travel-booking/document-reviewer";
import { type DueTask, REVIEWS_PARTITION } from "@travel-booking/domain";
import type { ApiCore } from "@travel-booking/service-host";
import { RepeatedReviews } from "../documents/repeated-reviews.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import type { ClockDrivenWork } from "../processes/advance-clock.ts";
import { DueTaskList } from "../processes/due-task-list.ts";
import { FairScheduler } from "../processes/fair-scheduler.ts";
import { runDueTask } from "../processes/run-saga.ts";
import { guarded, waitUntilListed } from "./due-tasks.ts";

/** Real time. */
const POLL_INTERVAL_MS = 100;
const GIVE_UP_AFTER_MS = 30_000;
const MAX_COUNTED = 1_000;

interface DocumentReviewsOptions extends Pick<ApiCore, "clock" | "progress" | "lifecycle" | "metrics" | "mayBegin"> {
  readonly services: OperatorServices;
}

/**
 * Reviews of documents have a list and a scheduler of their own, because one takes as long as a thousand other tasks.
 * Accounts take turns, because one may send a thousand documents. At most one file per reader is in memory.
 */
export function documentReviews({ services, clock, progress, lifecycle, metrics, mayBegin }: DocumentReviewsOptions) {
  const list = new DueTaskList(services.models, REVIEWS_PARTITION);
  const reviewed = metrics.counter("document_reviews_total", "Reviews of travel documents that came to an end.", [
    "outcome",
  ]);
  metrics.gauge(
    "document_reviews_waiting",
    `Documents the reviewer has not got to, ${MAX_COUNTED} at most.`,
    async () => (await list.dueBy(clock.now(), MAX_COUNTED)).length,
  );
  function newReview() {
    const reviews = new RepeatedReviews(services);
    return async (task: DueTask, ends: number): Promise<bigint> => {
      if (lifecycle.stopping) throw new Error("the service is stopping");
      if (task.kind !== "review_document") return runDueTask(services, task);
      const { result: outcome, position } = await reviews.review(task.bookingId, task.documentId, ends);
      // If passengers were renamed meanwhile, the review stays listed and gets another turn.
      if (outcome !== "outdated") reviewed.inc({ outcome });
      return position;
    };
  }

  const newScheduler = () =>
    new FairScheduler({
      list,
      clock,
      mayBegin,
      fairnessKeyOf: (task) => ("accountId" in task ? (task.accountId ?? "") : ""),
      concurrency: POOL_SIZE,
      run: newReview(),
      waitUntilListed: waitUntilListed(progress),
      ...guarded(services, "reviews"),
      onFailed: ({ key }, error) => {
        if (!lifecycle.stopping)
          services.logger.warn({ task: key, err: error }, "a document review failed and will be retried");
      },
    });
  /** The clock need not stop for reviews: they are due at once, open no tasks, and end the same a little later. */
  const due: ClockDrivenWork = {
    nextDueAt: async () => undefined,
    async drained() {
      const now = clock.now();
      for (const from = performance.now(); (await list.dueBy(now, 1)).length > 0; await pause(POLL_INTERVAL_MS)) {
        if (lifecycle.stopping) throw new Error("the service is stopping");
        if (performance.now() - from < GIVE_UP_AFTER_MS) continue;
        services.logger.warn({}, "advancing the clock although document reviews are pending");
        return;
      }
    },
  };
  return { newScheduler, due };
}
