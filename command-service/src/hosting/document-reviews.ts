import { setTimeout as pause } from "node:timers/promises";
import { LENGTHY_PARTITION } from "@travel-booking/domain";
import type { Lifecycle, ProjectionProgress } from "@travel-booking/http";
import { OBLIGATIONS } from "@travel-booking/read-models";
import type { Clock, Metrics } from "@travel-booking/runtime";
import { type Review, type ReviewObligation, reviewDocument } from "../documents/review-document.ts";
import { DueList } from "../obligations/due-list.ts";
import type { DueWork } from "../obligations/due-work.ts";
import { meetObligation } from "../obligations/meet-obligation.ts";
import { Scheduler } from "../obligations/scheduler.ts";
import type { OperatorServices } from "../operator/operator-services.ts";

/** Real time. */
const LISTED_MS = 5_000;
const LOOK_EVERY_MS = 100;
const GIVE_UP_AFTER_MS = 300_000;
const MOST_COUNTED = 1_000;

export interface DocumentReviewsOptions {
  readonly services: OperatorServices;
  readonly clock: Clock;
  readonly progress: ProjectionProgress;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
}

/**
 * The review of documents: a list and a scheduler of their own, since one takes as long as a thousand other
 * obligations. One after another, so that the file of one at most is in memory.
 */
export function documentReviews({ services, clock, progress, lifecycle, metrics }: DocumentReviewsOptions) {
  const list = new DueList(services.models, LENGTHY_PARTITION);
  const attempts = new Map<string, number>();
  const reviewed = metrics.counter("document_reviews_total", "Reviews of travel documents that came to an end.", [
    "outcome",
  ]);
  metrics.samples(
    "document_reviews_waiting",
    `Documents the reviewer has not got to, ${MOST_COUNTED} at most.`,
    async () => [{ labels: {}, value: (await list.dueBy(clock.now(), MOST_COUNTED)).length }],
  );
  let turn: Promise<unknown> = Promise.resolve();

  async function review(obligation: ReviewObligation): Promise<Review> {
    if (lifecycle.stopping) throw new Error("the service is stopping");
    const { documentId } = obligation;
    const attempt = (attempts.get(documentId) ?? 0) + 1;
    attempts.set(documentId, attempt);
    const done = await reviewDocument(services, obligation, attempt);
    attempts.delete(documentId);
    reviewed.inc({ outcome: done.outcome });
    return done;
  }

  function inTurn(obligation: ReviewObligation): Promise<bigint> {
    const work = turn.then(() => review(obligation)).then(({ position }) => position);
    turn = work.catch(() => undefined);
    return work;
  }

  const newScheduler = () =>
    new Scheduler({
      list,
      clock,
      meet: (obligation) =>
        obligation.kind === "review_document" ? inTurn(obligation) : meetObligation(services, obligation),
      listed: async (position) => void (await progress.waitUntil(OBLIGATIONS.projection, position, LISTED_MS)),
      failed: ({ key }, error) => {
        if (!lifecycle.stopping) services.logger.warn({ obligation: key, err: error }, "a review failed");
      },
    });
  /** Reviews are due at once, and lead to nothing that is due later. */
  const due: DueWork = {
    nextDue: async () => undefined,
    async settled() {
      const now = clock.now();
      for (const from = performance.now(); (await list.dueBy(now, 1)).length > 0; await pause(LOOK_EVERY_MS)) {
        if (lifecycle.stopping) throw new Error("the service is stopping");
        if (performance.now() - from > GIVE_UP_AFTER_MS) throw new Error("documents wait for their review");
      }
    },
  };
  return { newScheduler, due };
}
