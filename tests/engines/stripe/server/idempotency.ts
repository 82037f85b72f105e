import { StripeFailure } from "../failure.ts";
import type { Clock } from "../objects/books.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface KeyRecord {
  readonly fingerprint: string;
  readonly since: number;
  /** Undefined while the first request is under way. */
  answer?: Answer;
}

const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Stripe's idempotency keys: the first answer to a key is kept for 24 hours, whatever it is. */
export class IdempotencyKeys {
  readonly #clock: Clock;
  readonly #records = new Map<string, KeyRecord>();
  /** Which refusal a request gets that has other parameters while the first one is under way. */
  whileInUse: "in use" | "other parameters" = "in use";

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The stored answer; undefined: the key is from here on taken by this request. @throws StripeFailure 400, 409 */
  begin(key: string, fingerprint: string): Answer | undefined {
    const known = this.#records.get(key);
    if (known === undefined || this.#clock.nowMs() - known.since > FORGOTTEN_AFTER_MS) {
      this.#records.set(key, { fingerprint, since: this.#clock.nowMs() });
      return undefined;
    }
    const differs = known.fingerprint !== fingerprint;
    if (known.answer === undefined && !(differs && this.whileInUse === "other parameters")) throw keyInUse(key);
    if (differs) throw otherParameters(key);
    return known.answer;
  }

  end(key: string, answer: Answer): void {
    const record = this.#records.get(key);
    if (record !== undefined) record.answer = answer;
  }

  /** The request turned out not to have been executed. */
  forget(key: string): void {
    this.#records.delete(key);
  }
}

export function keyInUse(key: string): StripeFailure {
  return new StripeFailure(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: `Another request with the key ${key} is in progress.`,
  });
}

function otherParameters(key: string): StripeFailure {
  return new StripeFailure(400, {
    type: "idempotency_error",
    message: `The key ${key} was first used with other parameters.`,
  });
}
