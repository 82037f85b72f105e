import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock } from "@travel-booking/runtime";
import type { RealTime } from "@travel-booking/runtime/real-time";
import type { ApiResponse } from "../route.ts";

/** What is kept under an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  /** Under which the command runs, at the first attempt and at every other. */
  readonly commandId: string;
  /** Null: begun, and not known to be finished. */
  readonly response: StoredResponse | null;
  /**
   * Which process is at work on the command; null: none. A process that is alone with its store names none: whatever
   * it finds unfinished was left by a process that is no more.
   */
  readonly holder: string | null;
  /** The key is as good as new. The record stays, because its versions must go on counting. */
  readonly freed?: true;
}

export interface StoredResponse {
  readonly status: number;
  readonly json: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A bigint as text. */
  readonly position: string | null;
}

/** Whether a response settles its key: success, and refusals that rest on the state things are in. */
export function isFinalResponse({ status, transient }: ApiResponse): boolean {
  if (transient === true) return false;
  return (status >= 200 && status < 300) || status === 404 || status === 409 || status === 422;
}

/** Whether a retry after this response is the same command: a failure, or a refusal that says "not now". */
export function isRetryable({ status, transient }: ApiResponse): boolean {
  return status >= 500 || transient === true;
}

export function toStoredResponse({ status, json, headers, position }: ApiResponse): StoredResponse {
  return {
    status,
    json: json instanceof Uint8Array ? Buffer.from(json).toString("utf8") : json,
    headers: Object.entries(headers ?? {}),
    position: position === undefined ? null : String(position),
  };
}

/** The response as it was, marked as a repetition. */
export function toReplayedResponse({ status, json, headers, position }: StoredResponse): ApiResponse {
  const replayed = { status, json, headers: { ...Object.fromEntries(headers), "Idempotent-Replayed": "true" } };
  return position === null ? replayed : { ...replayed, position: BigInt(position) };
}

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
