import { HeldRecord } from "@travel-booking/engines/leases";
import type { StateRecord } from "@travel-booking/engines/state-store";
import type { ApiResponse, CommandIdentity } from "../route.ts";
import type { IdempotencyRecord, KeptResponse } from "./idempotency-record.ts";
import { Overtaken } from "./overtaken.ts";
import { keptFromNow, type RecordPlace } from "./record-place.ts";

export type Execute = (identity: CommandIdentity) => ApiResponse | Promise<ApiResponse>;

export interface AttemptOptions {
  readonly place: RecordPlace;
  readonly record: StateRecord<IdempotencyRecord>;
  /** When the write that put this process's name on the record was sent; real time. */
  readonly since: number;
  /** No attempt was made before. */
  readonly first: boolean;
}

/** An attempt at the command of a key by the process that the key's record names. */
export class Attempt {
  readonly identity: CommandIdentity;
  readonly #place: RecordPlace;
  readonly #held: HeldRecord<IdempotencyRecord>;

  constructor({ place, record, since, first }: AttemptOptions) {
    const { store, space, realTime } = place;
    const lengthMs = place.alone ? Number.POSITIVE_INFINITY : place.leaseMs;
    const held = new HeldRecord({ store, space, record, since, lengthMs, realTime });
    this.#place = place;
    this.#held = held;
    const { commandId } = record.value;
    this.identity = place.alone ? { commandId, repeated: !first } : new HeldIdentity(commandId, first, held);
  }

  /** Carries out the command, and shows others meanwhile that somebody is at work on it. */
  async run(execute: Execute): Promise<ApiResponse> {
    if (this.#place.alone) return execute(this.identity);
    const done = new AbortController();
    const keeping = this.#held.keep(done.signal);
    try {
      return await execute(this.identity);
    } finally {
      done.abort();
      await keeping;
    }
  }

  /** Keeps the answer under the key; false where another attempt has taken over: what that one answers counts. */
  settle(response: KeptResponse): Promise<boolean> {
    return this.#held.write({ ...this.#held.value, response, holder: null }, keptFromNow(this.#place));
  }

  /** Lets a retry take the command up at once. */
  async giveBack(): Promise<void> {
    if (this.#place.alone) return;
    // Where this fails the retry has to wait until the lease has run out.
    await this.#held.write({ ...this.#held.value, holder: null }).catch(() => false);
  }

  /** Frees the key for any request. */
  async free(): Promise<void> {
    const { store, space, alone } = this.#place;
    if (alone) return store.remove(space, this.#held.key);
    // The record stays, so that its versions go on counting: a late write of somebody else's never fits a new record.
    await this.#held.write({ ...this.#held.value, holder: null, freed: true }, keptFromNow(this.#place));
  }
}

class HeldIdentity implements CommandIdentity {
  readonly commandId: string;
  readonly #first: boolean;
  readonly #held: HeldRecord<IdempotencyRecord>;

  constructor(commandId: string, first: boolean, held: HeldRecord<IdempotencyRecord>) {
    this.commandId = commandId;
    this.#first = first;
    this.#held = held;
  }

  get repeated(): boolean {
    if (this.#held.isLost) throw new Overtaken("another attempt has taken this command over");
    return !this.#first || !this.#held.isSafe;
  }
}
