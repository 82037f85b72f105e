import { setTimeout as pause } from "node:timers/promises";
import { READERS } from "@travel-booking/document-reviewer";
import { LENGTHY_PARTITION, type Obligation } from "@travel-booking/domain";
import type { Lifecycle } from "@travel-booking/http";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { OBLIGATIONS } from "@travel-booking/read-models";
import type { Clock, Metrics } from "@travel-booking/runtime";
import { reviewDocument } from "../documents/review-document.ts";
import { DueList } from "../obligations/due-list.ts";
import type { DueWork } from "../obligations/due-work.ts";
import { FairScheduler } from "../obligations/fair-scheduler.ts";
import { meetObligation } from "../obligations/meet-obligation.ts";
import type { OperatorServices } from "../operator/operator-services.ts";

/** Real time. */
const LISTED_MS = 5_000;
const LOOK_EVERY_MS = 100;
const WAITED_FOR_MS = 30_000;
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
 * obligations, and accounts take turns, since one of them may send a thousand. So many files are in memory at once as
 * there are readers.
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
  async function review(obligation: Obligation): Promise<bigint> {
    if (lifecycle.stopping) throw new Error("the service is stopping");
    if (obligation.kind !== "review_document") return meetObligation(services, obligation);
    const { documentId } = obligation;
    const attempt = (attempts.get(documentId) ?? 0) + 1;
    attempts.set(documentId, attempt);
    const { outcome, position } = await reviewDocument(services, obligation, attempt);
    attempts.delete(documentId);
    reviewed.inc({ outcome });
    return position;
  }

  const newScheduler = () =>
    new FairScheduler({
      list,
      clock,
      shareOf: (obligation) => ("accountId" in obligation ? (obligation.accountId ?? "") : ""),
      atOnce: READERS,
      meet: review,
      listed: async (position) => void (await progress.waitUntil(OBLIGATIONS.projection, position, LISTED_MS)),
      failed: ({ key }, error) => {
        if (!lifecycle.stopping) services.logger.warn({ obligation: key, err: error }, "a review failed");
      },
    });
  /** Reviews are due at once, lead to nothing that is due later, and come out the same a little later. */
  const due: DueWork = {
    nextDue: async () => undefined,
    async settled() {
      const now = clock.now();
      for (const from = performance.now(); (await list.dueBy(now, 1)).length > 0; await pause(LOOK_EVERY_MS)) {
        if (lifecycle.stopping) throw new Error("the service is stopping");
        if (performance.now() - from < WAITED_FOR_MS) continue;
        services.logger.warn({}, "the clock goes on though documents wait for their review");
        return;
      }
    },
  };
  return { newScheduler, due };
}
