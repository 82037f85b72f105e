import { setTimeout as delay } from "node:timers/promises";
import type { OperatorClient } from "@travel-booking/operator/client";

/** So much that nobody reaches it, while everything is still counted. */
const MUCH = "1000000000";

/** One account does everything, and fills flights. */
export const BENCH_SETTINGS = {
  NODE_ENV: "production",
  RATE_LIMIT_PER_MINUTE: MUCH,
  QUOTA_UNPAID_SEATS_PERCENT: "100",
  QUOTA_OPEN_HOLDS: MUCH,
  QUOTA_PASSENGERS: MUCH,
  QUOTA_DOCUMENTS: MUCH,
  QUOTA_DOCUMENTS_MB: MUCH,
};

/** A service under test, however many processes it is. */
export interface BenchService {
  /** Of the public API, on 127.0.0.1. */
  readonly port: number;
  readonly operator: OperatorClient;
  /** Waits until read models have folded in all there is and webhooks are delivered: the next round starts idle. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

interface ProjectionRow {
  readonly state: string;
  readonly lag: number;
}

const LOOK_AGAIN_MS = 50;

/** Resolves when no projection is behind. @throws Error one has stopped. */
export async function caughtUp(operator: OperatorClient): Promise<void> {
  for (;;) {
    const answer = await operator.request("GET", "/operator/projections");
    const { data } = answer as { readonly data: readonly ProjectionRow[] };
    const stopped = data.find(({ state }) => state === "stopped");
    if (stopped !== undefined) throw new Error(`a projection has stopped: ${JSON.stringify(stopped)}`);
    if (data.every(({ lag }) => lag === 0)) return;
    await delay(LOOK_AGAIN_MS);
  }
}

const OWED = /^webhook_(?:events_waiting|lanes_owed) (\d+)$/gm;

/** Resolves when no event waits for its webhooks, and no webhook for its delivery. */
export async function webhooksDelivered(metricsUrl: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(metricsUrl)).text();
    const owed = [...metrics.matchAll(OWED)].map(([, count]) => Number(count));
    if (owed.length !== 2) throw new Error("the metrics of webhooks have other names");
    if (owed.every((count) => count === 0)) return;
    await delay(LOOK_AGAIN_MS);
  }
}
