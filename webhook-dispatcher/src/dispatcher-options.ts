import type { ConnectionOptions } from "node:tls";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import type { Instance, Leases } from "@travel-booking/engines/leases";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock, Logger } from "@travel-booking/runtime";
import type { DeliveryStore } from "@travel-booking/webhooks/deliveries";
import type { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import type { Resolve, TargetRules } from "@travel-booking/webhooks/targets";
import type { LaneLock } from "./lanes/lane-lock.ts";
import type { DeliveryMetrics } from "./metrics.ts";

/** The step that has just been done. */
type DispatchFaultPoint =
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
  /** Of several dispatchers; undefined: there is only one. */
  readonly instance?: (Pick<Instance, "id"> & { readonly leases: Pick<Leases, "runUnderLease"> }) | undefined;
  readonly clock: Clock;
  readonly secrets: Pick<WebhookSecrets, "get">;
  readonly words: Pick<SealedWords, "find" | "sealText" | "openText">;
  readonly targets: TargetRules;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly logger: Logger;
  /** False while no attempt may begin, since its outcome could not be recorded; absent: true. */
  readonly mayBegin?: (() => boolean) | undefined;
  /** The name servers by default. */
  readonly resolve?: Resolve;
  /** Whether the clock is moved by hand: replays don't rest then, because who moves it waits for them. */
  readonly sandboxClock?: boolean;
  /** Certificates of a private authority. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
  /** Milliseconds of real time an attempt may take; 15,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** From 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
  /** Called after every step; tests let the process die there. */
  readonly reachedFaultPoint?: (name: DispatchFaultPoint) => void;
}

/** What the parts of a dispatcher share. */
export interface DispatcherContext extends DispatcherOptions {
  readonly stored: DeliveryStore;
  readonly lock: LaneLock;
  /** Whether the account is served. Nothing is sent to the endpoints of one that is not. */
  readonly isActive: (accountId: string) => Promise<boolean>;
  readonly random: () => number;
  readonly reachedFaultPoint: (name: DispatchFaultPoint) => void;
}
