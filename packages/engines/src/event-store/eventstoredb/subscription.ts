import { setImmediate } from "node:timers/promises";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";
import { type EventStore, EventStoreUnavailable, START, type SubscribeOptions } from "../port.ts";
import { AnotherLog, assertSameLog, type LogMark } from "../same-log.ts";
import type { Calls, Reading } from "./calls.ts";
import { explain } from "./errors.ts";
import type { ReadEvent } from "./event-codec.ts";
import type { Outage } from "./outage.ts";
import { allRequest, decodeRead, type LogPlace, subscriptionRequest } from "./read-messages.ts";
import { type ReadDeadline, readEvents } from "./reads.ts";

interface ResumingSubscriptionOptions extends SubscribeOptions {
  readonly maxBatch: number;
  readonly backOff: BackoffOptions;
  /** Real milliseconds for a read. */
  readonly readTimeoutMs: number;
  /** Real milliseconds without activity after which the head is compared with the position. */
  readonly idleTimeoutMs: number;
  readonly log: Pick<EventStore, "head" | "eventIdAt">;
  readonly outage: Outage;
}

/** Buffered events; more would only take memory. */
const MAX_BUFFERED = 1_000;

/** Reads all streams but system streams, and replaces a dropped subscription by a new one: the client never does. */
export class ResumingSubscription {
  readonly #calls: Calls;
  readonly #options: ResumingSubscriptionOptions;
  readonly #backOff: Backoff;
  #subscription: BufferedSubscription | undefined;
  #openedAt: number | undefined;
  /** Position of the last event taken, of this service or not. */
  #position: bigint;
  /** What the log is compared with; undefined: it is not. */
  #mark: LogMark | undefined;
  /** The head at the last idle check. */
  #head: bigint;

  constructor(calls: Calls, options: ResumingSubscriptionOptions) {
    const { after, afterEvent, backOff } = options;
    this.#calls = calls;
    this.#options = options;
    this.#backOff = new Backoff(backOff);
    this.#position = after;
    this.#head = after;
    this.#mark = afterEvent === undefined ? undefined : { position: after, id: afterEvent };
  }

  /**
   * The events behind the position, each once and in order, until the signal aborts.
   * @throws AnotherLog
   */
  async *batches(): AsyncGenerator<readonly ReadEvent[]> {
    try {
      while (!this.#options.signal.aborted) {
        const events = await this.#nextBatch();
        if (events.length > 0) yield events;
      }
    } finally {
      this.#drop();
      this.#options.outage.leave(this);
    }
  }

  /** Empty: there was no activity, or the subscription was dropped. */
  async #nextBatch(): Promise<readonly ReadEvent[]> {
    const { maxBatch, idleTimeoutMs, outage } = this.#options;
    try {
      this.#subscription ??= await this.#open();
      const taken = await this.#subscription.nextBatch(maxBatch, idleTimeoutMs);
      if (taken.length === 0) this.#checkIdle();
      const events = taken.filter(({ position }) => position.commit > this.#position);
      const last = events.at(-1);
      if (last !== undefined) {
        this.#position = last.position.commit;
        this.#mark &&= { position: last.position.commit, id: last.id };
        this.#backOff.reset();
      }
      outage.end(this);
      return events;
    } catch (error) {
      if (error instanceof AnotherLog) throw error;
      await this.#handleDrop(error);
      return [];
    }
  }

  #drop(): void {
    this.#subscription?.stop();
    this.#subscription = undefined;
  }

  async #open(): Promise<BufferedSubscription> {
    const { log, readTimeoutMs, signal, maxBatch, outage } = this.#options;
    if (this.#mark !== undefined) await assertSameLog(log, [this.#mark]);
    const after = await placeBefore(this.#calls, this.#position, { timeoutMs: readTimeoutMs, signal });
    this.#openedAt = performance.now();
    return new BufferedSubscription(
      this.#calls,
      after,
      Math.min(maxBatch, MAX_BUFFERED),
      () => outage.end(this),
      signal,
    );
  }

  /** A half-open connection, or a subscription that the server lost, raises no error. */
  #checkIdle(): void {
    if (this.#head > this.#position) throw new Error("no events arrive although the log has more");
    this.#options.log.head().then(
      (head) => {
        this.#head = head;
      },
      // Callers of `head` report that.
      () => undefined,
    );
  }

  async #handleDrop(cause: unknown): Promise<void> {
    const { backOff, outage, signal } = this.#options;
    this.#drop();
    if (signal.aborted) return;
    const message = `a subscription to EventStoreDB was dropped, and is being resumed: ${explain(cause)}`;
    outage.begin(new EventStoreUnavailable(message, { outcomeUnknown: false, cause }), this);
    const lastedMs = this.#openedAt === undefined ? 0 : performance.now() - this.#openedAt;
    this.#openedAt = undefined;
    if (lastedMs > backOff.maxMs) this.#backOff.reset();
    await this.#backOff.pause(signal);
  }
}

/** One subscription. Events the reader has not taken wait in a bounded buffer, and behind it at the server. */
class BufferedSubscription {
  readonly #reading: Reading;
  readonly #mostBuffered: number;
  readonly #onCaughtUp: () => void;
  readonly #signal: AbortSignal;
  readonly #stop = () => this.stop();
  /** Not decoded until they are taken, so that what is decoded is garbage soon. */
  readonly #buffer: Buffer[] = [];
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** @param signal ends it, also without a reader. */
  constructor(calls: Calls, after: LogPlace, mostBuffered: number, onCaughtUp: () => void, signal: AbortSignal) {
    this.#mostBuffered = mostBuffered;
    this.#onCaughtUp = onCaughtUp;
    this.#signal = signal;
    const onAnswer = (encoded: Buffer) => {
      if (this.#buffer.push(encoded) >= mostBuffered) this.#reading.pause();
      this.#wake();
    };
    const onEnd = (failure = new Error("the server ended it")) => {
      this.#failure ??= failure;
      this.#wake();
    };
    this.#reading = calls.read(subscriptionRequest(after), false, onAnswer, onEnd);
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  /**
   * Up to `most` events; waits if there are none. Empty: no activity for `silentAfterMs`, or the signal has aborted.
   * Throws the failure of the subscription after the events before it.
   */
  async nextBatch(most: number, silentAfterMs: number): Promise<ReadEvent[]> {
    for (;;) {
      if (this.#signal.aborted) return [];
      const events = this.#take(most);
      if (events.length > 0) return events;
      if (this.#failure !== undefined) throw this.#failure;
      if (!(await this.#waitForActivity(silentAfterMs))) return [];
      // Events that arrive together are told one by one: wait for all of them.
      await setImmediate();
    }
  }

  stop(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#reading.cancel();
    this.#wake();
  }

  #take(most: number): ReadEvent[] {
    const events: ReadEvent[] = [];
    for (const encoded of this.#buffer.splice(0, most)) {
      const answer = decodeRead(encoded);
      if (typeof answer === "object") events.push(answer);
      else if (answer === "caught up") this.#onCaughtUp();
    }
    if (this.#buffer.length < this.#mostBuffered) this.#reading.resume();
    return events;
  }

  #waitForActivity(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, withinMs, false);
    this.#wake = () => resolve(true);
    return promise.finally(() => clearTimeout(timer));
  }
}

/**
 * Where a subscription has to start to get all events after a position. The server continues after the first event at
 * the position or later. If the event at the position was scavenged, it would skip the next one; so start at the event
 * before it.
 */
async function placeBefore(calls: Calls, position: bigint, deadline: ReadDeadline): Promise<LogPlace> {
  if (position === START) return "start";
  const request = allRequest("backwards", { commit: position, prepare: position }, 1);
  const [before] = await readEvents(calls, request, deadline, false);
  return before?.position ?? "start";
}
