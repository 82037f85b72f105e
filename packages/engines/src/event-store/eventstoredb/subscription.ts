import { setImmediate } from "node:timers/promises";
import {
  type AllStreamRecordedEvent,
  type AllStreamSubscription,
  BACKWARDS,
  type EventStoreDBClient,
  START as FROM_START,
  type Position,
  streamNameFilter,
} from "@eventstore/db-client";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";
import { EventStoreUnavailable, START, type SubscribeOptions } from "../port.ts";
import { AnotherLog, assertSameLog, type LogMark } from "../same-log.ts";
import { explain } from "./errors.ts";
import type { Outage } from "./outage.ts";
import { collectEvents, type ReadDeadline } from "./reads.ts";

/** As in `SubscribeOptions`. */
export type SubscriptionStart = Pick<SubscribeOptions, "after" | "afterEvent">;

export interface ResumingSubscriptionOptions {
  readonly backOff: BackoffOptions;
  /** Its signal ends the subscription. */
  readonly deadline: ReadDeadline;
  /** Real milliseconds without activity after which the head is compared with the position. */
  readonly idleTimeoutMs: number;
  /** Position of the last event that a subscriber gets. */
  readonly head: () => Promise<bigint>;
  readonly eventIdAt: (position: bigint) => Promise<string | undefined>;
  readonly outage: Outage;
}

/** Buffered events; more would only take memory. */
const MAX_BUFFERED = 1_000;

/** Reads all streams but system streams, and replaces a dropped subscription by a new one: the client never does. */
export class ResumingSubscription {
  readonly #client: EventStoreDBClient;
  readonly #options: ResumingSubscriptionOptions;
  readonly #backOff: Backoff;
  readonly #signal: AbortSignal;
  #subscription: BufferedSubscription | undefined;
  #openedAt: number | undefined;
  /** Position of the last event taken, of this service or not. */
  #position: bigint;
  /** What the log is compared with; undefined: it is not. */
  #mark: LogMark | undefined;
  /** The head at the last idle check. */
  #head: bigint;

  constructor(
    client: EventStoreDBClient,
    { after, afterEvent }: SubscriptionStart,
    options: ResumingSubscriptionOptions,
  ) {
    this.#client = client;
    this.#options = options;
    this.#backOff = new Backoff(options.backOff);
    this.#signal = options.deadline.signal;
    this.#position = after;
    this.#head = after;
    this.#mark = afterEvent === undefined ? undefined : { position: after, id: afterEvent };
  }

  /**
   * The next events, at most `most`, each once and in order. Empty: the signal has aborted.
   * @throws AnotherLog
   */
  async nextBatch(most: number): Promise<AllStreamRecordedEvent[]> {
    while (!this.#signal.aborted) {
      try {
        this.#subscription ??= await this.#open(most);
        const taken = await this.#subscription.nextBatch(most, this.#options.idleTimeoutMs);
        const events = taken.filter(({ position }) => position.commit > this.#position);
        const last = events.at(-1);
        if (last !== undefined) {
          this.#position = last.position.commit;
          this.#mark &&= { position: last.position.commit, id: last.id };
          this.#options.outage.end(this);
          this.#backOff.reset();
          return events;
        }
        if (taken.length === 0) {
          this.#checkIdle();
          this.#options.outage.end(this);
        }
      } catch (error) {
        if (error instanceof AnotherLog) throw error;
        await this.#handleDrop(error);
      }
    }
    return [];
  }

  stop(): void {
    this.#drop();
    this.#options.outage.leave(this);
  }

  #drop(): void {
    this.#subscription?.stop();
    this.#subscription = undefined;
  }

  async #open(most: number): Promise<BufferedSubscription> {
    if (this.#mark !== undefined) await assertSameLog(this.#options, [this.#mark]);
    const from = await positionBefore(this.#client, this.#position, this.#options.deadline);
    this.#openedAt = performance.now();
    const subscription = new BufferedSubscription(this.#client, from, Math.min(most, MAX_BUFFERED), this.#signal);
    subscription.onCaughtUp(() => this.#options.outage.end(this));
    return subscription;
  }

  /** A half-open connection, or a subscription that the server lost, raises no error. */
  #checkIdle(): void {
    if (this.#head > this.#position) throw new Error("no events arrive although the log has more");
    this.#options.head().then(
      (head) => {
        this.#head = head;
      },
      // Callers of `head` report that.
      () => undefined,
    );
  }

  async #handleDrop(cause: unknown): Promise<void> {
    this.#drop();
    if (this.#signal.aborted) return;
    const message = `a subscription to EventStoreDB was dropped, and is being resumed: ${explain(cause)}`;
    this.#options.outage.begin(new EventStoreUnavailable(message, { outcomeUnknown: false, cause }), this);
    const lastedMs = this.#openedAt === undefined ? 0 : performance.now() - this.#openedAt;
    this.#openedAt = undefined;
    if (lastedMs > this.#options.backOff.maxMs) this.#backOff.reset();
    await this.#backOff.pause(this.#signal);
  }
}

/** Excludes system streams. */
const NOT_SYSTEM = "^[^$]";
/** Events that the server filters at once. */
const SEARCH_WINDOW = 512;
/** Events between two checkpoints, which show that the connection is alive while the filter passes nothing. */
const CHECKPOINT_EVERY = 8 * SEARCH_WINDOW;

/**
 * One subscription of the client to all streams but system streams. Events the reader has not taken wait in a bounded
 * buffer, and behind it at the server.
 */
class BufferedSubscription {
  readonly #subscription: AllStreamSubscription;
  readonly #signal: AbortSignal;
  readonly #stop = () => this.stop();
  readonly #onActivity = () => this.#wake();
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** @param signal ends it, also without a reader. */
  constructor(
    client: EventStoreDBClient,
    from: Position | typeof FROM_START,
    mostBuffered: number,
    signal: AbortSignal,
  ) {
    this.#signal = signal;
    const filter = streamNameFilter({
      regex: NOT_SYSTEM,
      maxSearchWindow: SEARCH_WINDOW,
      checkpointInterval: CHECKPOINT_EVERY / SEARCH_WINDOW,
      checkpointReached: this.#onActivity,
    });
    this.#subscription = client.subscribeToAll({ fromPosition: from, filter }, { highWaterMark: mostBuffered });
    this.#subscription.on("readable", this.#onActivity);
    // The client may emit errors after the subscription has ended.
    this.#subscription.on("error", (error: Error) => this.#fail(error));
    this.#subscription.on("end", () => this.#fail(new Error("the server ended it")));
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  /**
   * Up to `most` events; waits if there are none. Empty: no activity for `silentAfterMs`, or the signal has aborted.
   * Throws the failure of the subscription after the events before it.
   */
  async nextBatch(most: number, silentAfterMs: number): Promise<AllStreamRecordedEvent[]> {
    for (;;) {
      if (this.#signal.aborted) return [];
      const events = this.#buffered(most);
      if (events.length > 0) return events;
      if (this.#failure !== undefined) throw this.#failure;
      if (!(await this.#waitForActivity(silentAfterMs))) return [];
      // The client emits events that arrive together one by one: wait for all of them.
      await setImmediate();
    }
  }

  onCaughtUp(listener: () => void): void {
    this.#subscription.on("caughtUp", listener);
  }

  stop(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#subscription.unsubscribe().catch(() => undefined);
    // The client never releases a call whose data is not consumed.
    this.#subscription.off("readable", this.#onActivity);
    this.#subscription.on("data", () => undefined);
    this.#wake();
  }

  #buffered(most: number): AllStreamRecordedEvent[] {
    const events: AllStreamRecordedEvent[] = [];
    while (events.length < most) {
      const resolved = this.#subscription.read();
      if (resolved === null) break;
      if (resolved.event !== undefined) events.push(resolved.event);
    }
    return events;
  }

  #waitForActivity(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, withinMs, false);
    this.#wake = () => resolve(true);
    return promise.finally(() => clearTimeout(timer));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}

/**
 * Where a subscription has to start to get all events after a position. The server continues after the first event at
 * the position or later. If the event at the position was scavenged, it would skip the next one; so start at the event
 * before it.
 */
async function positionBefore(
  client: EventStoreDBClient,
  position: bigint,
  deadline: ReadDeadline,
): Promise<Position | typeof FROM_START> {
  if (position === START) return FROM_START;
  const at = { commit: position, prepare: position };
  const [before] = await collectEvents(
    client.readAll({ direction: BACKWARDS, fromPosition: at, maxCount: 1 }),
    deadline,
  );
  return before?.event?.position ?? FROM_START;
}
