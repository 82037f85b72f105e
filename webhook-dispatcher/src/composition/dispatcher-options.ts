import type { ConnectionOptions } from "node:tls";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { Clock, Logger } from "@travel-booking/runtime";
import type { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import type { Resolve } from "@travel-booking/webhooks/targets";
import type { DeliveryMetrics } from "../delivering/delivery-metrics.ts";

/** Has work done by one instance at a time, again and again until the signal aborts. */
export interface LeaderLease {
  runUnderLease(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    options: { readonly signal: AbortSignal },
  ): Promise<void>;
}

/** What has just been done. */
export type DispatchFaultPoint =
  | "webhook:owed"
  | "webhook:followed"
  | "webhook:sending"
  | "webhook:answered"
  | "webhook:recorded";

export interface DispatcherOptions {
  readonly state: StateStore;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly queue: JobQueue;
  readonly leaderLease: LeaderLease;
  /** Who this process is, where others dispatch beside it: an id nobody else has ever had; null: it is alone. */
  readonly holder: string | null;
  readonly clock: Clock;
  readonly secrets: Pick<WebhookSecrets, "get">;
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`. */
  readonly allowPrivate: boolean;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly logger: Logger;
  /** The name servers unless told. */
  readonly resolve?: Resolve;
  /** Certificates that not everybody knows. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
  /** Milliseconds of real time an attempt may take; 15,000 unless told. */
  readonly attemptTimeoutMs?: number;
  /** From 0 to 1, at random unless told. */
  readonly random?: () => number;
  /** Called by name between every two steps; a test may have the process die there. */
  readonly reachedFaultPoint?: (name: DispatchFaultPoint) => void;
}

/** One process has nobody to share with. */
export const SINGLE_INSTANCE_LEASE: LeaderLease = {
  async runUnderLease(_name, work, { signal }) {
    if (!signal.aborted) await work(signal);
  },
};
