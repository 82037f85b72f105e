import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock } from "@travel-booking/runtime";
import type { RealTime } from "@travel-booking/runtime/real-time";

/** Milliseconds a key is kept for (docs/rules.md#idempotency). */
const RETENTION_MS = 24 * 60 * 60 * 1_000;

/** Where the records of keys are, and on what terms this process works on one. */
export interface IdempotencyContext {
  readonly store: StateStore;
  readonly space: string;
  readonly clock: Clock;
  readonly realTime: RealTime;
  /** No other process uses the store. */
  readonly singleProcess: boolean;
  /** The name of this process. */
  readonly holder: string;
  /** How long a record stands for its holder without being renewed. */
  readonly leaseMs: number;
}

/** How long a key is kept that is used, or answered, now. */
export function expiryFromNow({ clock }: IdempotencyContext): { readonly expiresAt: number } {
  return { expiresAt: clock.now() + RETENTION_MS };
}
