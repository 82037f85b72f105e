import { randomUUID } from "node:crypto";
import { DAY, type Instant } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { endpointPrefix, endpointsIn } from "./lanes.ts";

const SPACE = "webhook-attempts";
const ATTEMPT_RETENTION = 90 * DAY;
/** Of an endpoint, besides the few that were added since its log was last trimmed. */
const MAX_KEPT = 10_000;
/** On average one attempt in so many trims the log of its endpoint, which reads as many as are kept. */
const ATTEMPTS_PER_TRIM = 1_000;
/** More than are added in between, so that a log that was longer gets shorter. */
const MAX_TRIMMED = 2 * ATTEMPTS_PER_TRIM;
/** Attempts removed together. That must not block the thread for long. */
const REMOVED_TOGETHER = 100;

/** One attempt to deliver an event. JSON. */
export interface DeliveryAttempt {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Null: the event is not about a booking. */
  readonly bookingId: string | null;
  /** `exhausted`: the attempt failed, and was the last one. */
  readonly status: "succeeded" | "failed" | "exhausted";
  /** The number of the attempt at this delivery, from 1; 0: a probe of a paused endpoint. */
  readonly attempt: number;
  /** Null if there was no response. */
  readonly responseStatus: number | null;
  /** The reason of a failure, in words; null if it succeeded. */
  readonly error: string | null;
  /** The start of the body of an unsuccessful response. Sealed under its booking's key (`SealedWords.sealText`). */
  readonly excerpt?: string;
  /** Real time. */
  readonly durationMs: number;
  /** When it was attempted. */
  readonly deliveredAt: Instant;
  /** When the next attempt is due; null: there is none. */
  readonly nextAttemptAt: Instant | null;
  /** The value of `Service-Signature`. */
  readonly signature: string;
}

export interface LoggedAttempt {
  /** Its sort key in the log of its endpoint. */
  readonly sort: string;
  readonly attempt: DeliveryAttempt;
}

/** Twelve hexadecimal digits in an attempt's id are its time. The log finds the attempt by them. */
const TIME_DIGITS = 12;

/** A new id for an attempt that was made at this time. */
export function attemptIdOf(at: Instant): string {
  return `dlv_${at.toString(16).padStart(TIME_DIGITS, "0")}${randomUUID().replaceAll("-", "").slice(TIME_DIGITS)}`;
}

const LATEST = 10 ** 15 - 1;
/** More attempts than one endpoint gets within a millisecond. */
const MAX_AT_ONCE = 1_000;
const MAX_PER_MILLISECOND = 10 ** 6;

/** The newest attempts of each endpoint within the retention period, newest first. */
export class AttemptLog {
  readonly #store: Pick<StateStore, "create" | "list" | "remove">;
  readonly #random: () => number;
  #count = 0;

  constructor(store: Pick<StateStore, "create" | "list" | "remove">, random = Math.random) {
    this.#store = store;
    this.#random = random;
  }

  /** Durable when it resolves. */
  async add(attempt: DeliveryAttempt): Promise<void> {
    const key = endpointPrefix(attempt.endpointId) + this.#sortOf(attempt);
    await this.#store.create(SPACE, key, attempt, { expiresAt: attempt.deliveredAt + ATTEMPT_RETENTION });
    if (this.#random() * ATTEMPTS_PER_TRIM >= 1) return;
    // The attempt is logged. What is left now, the next trim removes.
    await this.#removeBehind(MAX_KEPT, attempt.endpointId, MAX_TRIMMED).catch(() => undefined);
  }

  /** The endpoints that have attempts. */
  endpoints(): AsyncGenerator<string> {
    return endpointsIn(this.#store, SPACE);
  }

  /** Removes the attempts of an endpoint. */
  removeAll(endpointId: string): Promise<void> {
    return this.#removeBehind(0, endpointId);
  }

  /** At most `limit` attempts of an endpoint, newest first, after the sort key `after`. */
  async page(
    endpointId: string,
    { after = "", limit }: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly LoggedAttempt[]> {
    const prefix = endpointPrefix(endpointId);
    const records = await this.#store.list<DeliveryAttempt>(SPACE, { after: prefix + after, limit });
    return records
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, value }) => ({ sort: key.slice(prefix.length), attempt: value }));
  }

  /** The attempt with this id; undefined if the endpoint has none, or the id holds no valid time. */
  async find(endpointId: string, id: string): Promise<DeliveryAttempt | undefined> {
    const at = Number.parseInt(id.slice("dlv_".length, "dlv_".length + TIME_DIGITS), 16);
    if (!(at >= 0 && at <= LATEST)) return undefined;
    const found = await this.page(endpointId, { after: padded(LATEST - at, 15), limit: MAX_AT_ONCE });
    return found.find(({ attempt }) => attempt.id === id)?.attempt;
  }

  /** Removes at most `limit` attempts of an endpoint: the newest of those behind so many. */
  async #removeBehind(kept: number, endpointId: string, limit = Number.POSITIVE_INFINITY): Promise<void> {
    let count = 0;
    let keys: string[] = [];
    const removeKeys = () => Promise.all(keys.map((key) => this.#store.remove(SPACE, key)));
    for await (const { key } of scanPrefix(this.#store, SPACE, endpointPrefix(endpointId))) {
      count += 1;
      if (count > kept) keys.push(key);
      if (count === kept + limit) break;
      if (keys.length < REMOVED_TOGETHER) continue;
      await removeKeys();
      keys = [];
    }
    await removeKeys();
  }

  /** Sorts later attempts first, even within one millisecond of a process. */
  #sortOf({ deliveredAt, id }: DeliveryAttempt): string {
    this.#count = (this.#count + 1) % MAX_PER_MILLISECOND;
    return `${padded(LATEST - deliveredAt, 15)}${padded(MAX_PER_MILLISECOND - 1 - this.#count, 6)}/${id}`;
  }
}

const padded = (value: number, digits: number) => String(value).padStart(digits, "0");
