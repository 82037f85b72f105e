import { RecordLease } from "@travel-booking/engines/leases";
import type { StateRecord } from "@travel-booking/engines/state-store";
import type { ApiResponse, CommandIdentity } from "../route.ts";
import { expiryFromNow, type IdempotencyContext } from "./idempotency-context.ts";
import type { IdempotencyRecord, StoredResponse } from "./idempotency-record.ts";
import { Superseded } from "./superseded.ts";

export type Execute = (identity: CommandIdentity) => ApiResponse | Promise<ApiResponse>;

export interface CommandAttemptOptions {
  readonly context: IdempotencyContext;
  readonly record: StateRecord<IdempotencyRecord>;
  /** When the write that put this process's name on the record was sent; real time. */
  readonly leaseStartedAt: number;
  /** No attempt was made before. */
  readonly first: boolean;
}

/** An attempt at the command of a key by the process that the key's record names. */
export class CommandAttempt {
  readonly identity: CommandIdentity;
  readonly #place: IdempotencyContext;
  readonly #held: RecordLease<IdempotencyRecord>;

  constructor({ context, record, leaseStartedAt, first }: CommandAttemptOptions) {
    const { store, space, realTime } = context;
    const lengthMs = context.singleProcess ? Number.POSITIVE_INFINITY : context.leaseMs;
    const held = new RecordLease({ store, space, record, acquiredAt: leaseStartedAt, durationMs: lengthMs, realTime });
    this.#place = context;
    this.#held = held;
    const { commandId } = record.value;
    this.identity = context.singleProcess
      ? { commandId, repeated: !first }
      : new LeasedIdentity(commandId, first, held);
  }

  /** Carries out the command, and shows others meanwhile that somebody is at work on it. */
  async run(execute: Execute): Promise<ApiResponse> {
    if (this.#place.singleProcess) return execute(this.identity);
    const done = new AbortController();
    const keeping = this.#held.renewUntil(done.signal);
    try {
      return await execute(this.identity);
    } finally {
      done.abort();
      await keeping;
    }
  }

  /** Keeps the answer under the key; false where another attempt has taken over: what that one answers counts. */
  storeResponse(response: StoredResponse): Promise<boolean> {
    return this.#held.write({ ...this.#held.value, response, holder: null }, expiryFromNow(this.#place));
  }

  /** Lets a retry take the command up at once. */
  async releaseLease(): Promise<void> {
    if (this.#place.singleProcess) return;
    // Where this fails the retry has to wait until the lease has run out.
    await this.#held.write({ ...this.#held.value, holder: null }).catch(() => false);
  }

  /** Frees the key for any request. */
  async releaseKey(): Promise<void> {
    const { store, space, singleProcess } = this.#place;
    if (singleProcess) return store.remove(space, this.#held.key);
    // The record stays, so that its versions go on counting: a late write of somebody else's never fits a new record.
    await this.#held.write({ ...this.#held.value, holder: null, freed: true }, expiryFromNow(this.#place));
  }
}

class LeasedIdentity implements CommandIdentity {
  readonly commandId: string;
  readonly #first: boolean;
  readonly #held: RecordLease<IdempotencyRecord>;

  constructor(commandId: string, first: boolean, held: RecordLease<IdempotencyRecord>) {
    this.commandId = commandId;
    this.#first = first;
    this.#held = held;
  }

  get repeated(): boolean {
    if (this.#held.isLost) throw new Superseded("another attempt has taken this command over");
    return !this.#first || !this.#held.isValid;
  }
}
