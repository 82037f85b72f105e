import type { Clock } from "@travel-booking/runtime";
import type { ApiResponse } from "../route.ts";

/** The space of the state store that holds the records. */
export const SPACE = "idempotency";
/** Milliseconds a key is kept for (docs/rules.md#idempotency). */
const RETENTION_MS = 24 * 60 * 60 * 1_000;

/** What is stored under an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  /** The id under which every attempt runs the command. */
  readonly commandId: string;
  /** Null: the command has begun, and may be unfinished. */
  readonly response: StoredResponse | null;
  /**
   * The process that holds the lease and runs the command; null: none. A process with a store of its own leaves it
   * null: any unfinished record it finds was left by an earlier process that has ended.
   */
  readonly holder: string | null;
  /** True if the key counts as new. The record stays, because its version must keep growing. */
  readonly freed?: true;
}

export interface StoredResponse {
  readonly status: number;
  readonly json: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A bigint as text. */
  readonly position: string | null;
}

/** The expiry of a record that is begun or freed now. */
export function expiryFromNow(clock: Clock): { readonly expiresAt: number } {
  return { expiresAt: clock.now() + RETENTION_MS };
}

/** Whether a response is stored: success, and refusals that depend on the state of the objects. */
export function isFinalResponse({ status, transient, givenUp }: ApiResponse): boolean {
  if (transient === true || givenUp === true) return false;
  return (status >= 200 && status < 300) || status === 404 || status === 409 || status === 422;
}

/** Whether a retry after this response runs the same command: a failure, or a refusal that means "not now". */
export function isRetryable({ status, transient }: ApiResponse): boolean {
  return status >= 500 || transient === true;
}

/** Seals the text of a successful response for storing, and opens it. Errors hold no secrets or personal words. */
export interface AnswerSealer {
  sealAnswer(text: string): string | Promise<string>;
  openAnswer(text: string): string | Promise<string>;
}

export async function toStoredResponse(
  { status, json, headers, position }: ApiResponse,
  sealer: AnswerSealer,
): Promise<StoredResponse> {
  const text = json instanceof Uint8Array ? Buffer.from(json).toString("utf8") : json;
  return {
    status,
    json: text === null || status >= 300 ? text : await sealer.sealAnswer(text),
    headers: Object.entries(headers ?? {}),
    position: position === undefined ? null : String(position),
  };
}

/** The stored response, marked as replayed. */
export async function toReplayedResponse(
  { status, json: text, headers, position }: StoredResponse,
  sealer: AnswerSealer,
): Promise<ApiResponse> {
  const json = text === null || status >= 300 ? text : await sealer.openAnswer(text);
  const replayed = { status, json, headers: { ...Object.fromEntries(headers), "Idempotent-Replayed": "true" } };
  return position === null ? replayed : { ...replayed, position: BigInt(position) };
}
