import { DAY, type Instant } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import { endpointPrefix } from "./lanes.ts";

const SPACE = "webhook-attempts";
const ATTEMPT_RETENTION = 90 * DAY;

/** One attempt to deliver an event. JSON. */
export interface DeliveryAttempt {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly bookingId: string;
  /** `exhausted`: it failed and was the last one. */
  readonly status: "succeeded" | "failed" | "exhausted";
  /** The number of the attempt at this delivery, from 1; 0: a probe of a paused endpoint. */
  readonly attempt: number;
  /** Null if there was no response. */
  readonly responseStatus: number | null;
  /** Why it failed, in words; null if it succeeded. */
  readonly error: string | null;
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

/** As stored: the attempts that ended in one turn of the event loop. Older releases stored each by itself. */
type StoredAttempts = readonly LoggedAttempt[] | DeliveryAttempt;

interface Turn {
  readonly attempts: LoggedAttempt[];
  readonly added: Promise<void>;
}

const LATEST = 10 ** 15 - 1;
const MAX_PER_MILLISECOND = 10 ** 6;
/** Attempts in one record were made within so many milliseconds: a page has to look no further ahead. */
const MAX_SPAN_MS = 100;
const MAX_PER_RECORD = 100;
/** Records read at once: first few, as one may hold many attempts, then more. */
const RECORDS = { first: 8, most: 512 };

/** All attempts within the retention period, by endpoint, newest first. */
export class AttemptLog {
  readonly #store: Pick<StateStore, "insertUnchecked" | "list">;
  /** By endpoint and `MAX_SPAN_MS`. */
  readonly #turns = new Map<string, Turn>();
  #count = 0;

  constructor(store: Pick<StateStore, "insertUnchecked" | "list">) {
    this.#store = store;
  }

  /** Durable when it resolves. */
  add(attempt: DeliveryAttempt): Promise<void> {
    const span = `${endpointPrefix(attempt.endpointId)}${Math.floor(attempt.deliveredAt / MAX_SPAN_MS)}`;
    const known = this.#turns.get(span);
    const turn = known === undefined || known.attempts.length >= MAX_PER_RECORD ? this.#newTurn(span) : known;
    turn.attempts.push({ sort: this.#sortOf(attempt), attempt });
    return turn.added;
  }

  /** At most `limit` attempts of an endpoint, newest first, behind the sort key `after`. */
  async page(
    endpointId: string,
    { after = "", limit }: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly LoggedAttempt[]> {
    const prefix = endpointPrefix(endpointId);
    const found: LoggedAttempt[] = [];
    let from = prefix + earliestRecord(after);
    for (let count = RECORDS.first; ; count = Math.min(2 * count, RECORDS.most)) {
      const records = await this.#store.list<StoredAttempts>(SPACE, { after: from, limit: count });
      const own = records.filter(({ key }) => key.startsWith(prefix));
      for (const { key, value } of own) {
        const attempts = Array.isArray(value) ? value : [{ sort: key.slice(prefix.length), attempt: value }];
        found.push(...attempts.filter(({ sort }) => sort > after));
      }
      found.sort((one, other) => (one.sort < other.sort ? -1 : 1));
      const last = own.at(-1)?.key ?? "";
      // A record that was not read yet has no attempt before its key.
      if (own.length < count || prefix + (found[limit - 1]?.sort ?? LAST) <= last) return found.slice(0, limit);
      from = last;
    }
  }

  #newTurn(span: string): Turn {
    const attempts: LoggedAttempt[] = [];
    const added = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#write(span, attempts));
    const turn = { attempts, added };
    this.#turns.set(span, turn);
    return turn;
  }

  async #write(span: string, attempts: readonly LoggedAttempt[]): Promise<void> {
    if (this.#turns.get(span)?.attempts === attempts) this.#turns.delete(span);
    const newestFirst = attempts.toSorted((one, other) => (one.sort < other.sort ? -1 : 1));
    const [newest] = newestFirst;
    if (newest === undefined) return;
    const { endpointId, deliveredAt } = newest.attempt;
    const key = endpointPrefix(endpointId) + newest.sort;
    await this.#store.insertUnchecked(SPACE, key, newestFirst, { expiresAt: deliveredAt + ATTEMPT_RETENTION });
  }

  /** Sorts later attempts first, also those of one process in one millisecond. */
  #sortOf({ deliveredAt, id }: DeliveryAttempt): string {
    this.#count = (this.#count + 1) % MAX_PER_MILLISECOND;
    return `${timeOf(deliveredAt)}${padded(MAX_PER_MILLISECOND - 1 - this.#count, 6)}/${id}`;
  }
}

const TIME_DIGITS = 15;
/** Behind every sort key. */
const LAST = "~";

const padded = (value: number, digits: number) => String(value).padStart(digits, "0");
const timeOf = (at: Instant) => padded(LATEST - at, TIME_DIGITS);

/** Before the key of every record that can hold attempts behind this sort key. */
function earliestRecord(after: string): string {
  return after === "" ? "" : timeOf(LATEST - Number(after.slice(0, TIME_DIGITS)) + MAX_SPAN_MS);
}
