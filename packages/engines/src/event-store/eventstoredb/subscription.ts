import { setImmediate } from "node:timers/promises";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";
import { AnotherLog, assertSameLog, type LogMark } from "../known-log.ts";
import { type EventStore, EventStoreUnavailable, MAX_BATCH_BYTES, START, type SubscribeOptions } from "../port.ts";
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

/** Buffered events; more would only cost memory. */
const MAX_BUFFERED = 1_000;

/**
 * The events of all streams except system streams after a position, each once and in order, until the signal aborts. A
 * dropped subscription is replaced by a new one, which the client does not do.
 * @throws AnotherLog
 */
export async function* resumingSubscription(
  calls: Calls,
  options: ResumingSubscriptionOptions,
): AsyncGenerator<readonly ReadEvent[]> {
  const { after, afterEvent, maxBatch, readTimeoutMs, idleTimeoutMs, log, outage, signal } = options;
  const backOff = new Backoff(options.backOff);
  const subscriber = {};
  /** Position of the last event that was read, of any writer. */
  let position = after;
  /** The mark that the log must have; undefined: the log is not checked. */
  let mark: LogMark | undefined = afterEvent === undefined ? undefined : { position: after, id: afterEvent };
  /** As the last idle check found it. */
  let head = after;

  /** A half-open connection, or a subscription that the server lost, raises no error. So the head is compared. */
  const checkIdle = () => {
    if (head > position) throw new Error("no events arrive although the log has more");
    const found = (value: bigint) => {
      head = value;
    };
    // Callers of `head` report its failures.
    log.head().then(found, () => undefined);
  };

  try {
    while (!signal.aborted) {
      let subscription: BufferedSubscription | undefined;
      let openedAt = Number.POSITIVE_INFINITY;
      try {
        if (mark !== undefined) await assertSameLog(log, [mark]);
        const place = await placeBefore(calls, position, { timeoutMs: readTimeoutMs, signal });
        openedAt = performance.now();
        subscription = new BufferedSubscription(calls, place, Math.min(maxBatch, MAX_BUFFERED), signal);
        while (!signal.aborted) {
          const taken = await subscription.nextBatch(maxBatch, idleTimeoutMs);
          if (taken === undefined) checkIdle();
          outage.end(subscriber);
          const events = taken?.filter((event) => event.position.commit > position) ?? [];
          const last = events.at(-1);
          if (last === undefined) continue;
          position = last.position.commit;
          mark &&= { position, id: last.id };
          backOff.reset();
          yield events;
        }
      } catch (cause) {
        if (cause instanceof AnotherLog) throw cause;
        if (signal.aborted) return;
        const message = `a subscription to EventStoreDB was dropped, and is being resumed: ${explain(cause)}`;
        outage.begin(new EventStoreUnavailable(message, { outcomeUnknown: false, cause }), subscriber);
        if (performance.now() - openedAt > options.backOff.maxMs) backOff.reset();
      } finally {
        subscription?.stop();
      }
      await backOff.pause(signal);
    }
  } finally {
    outage.leave(subscriber);
  }
}

/** One subscription. Events that were not read yet wait in a bounded buffer, and beyond that at the server. */
class BufferedSubscription {
  readonly #reading: Reading;
  readonly #mostBuffered: number;
  readonly #signal: AbortSignal;
  readonly #stop = () => this.stop();
  /** Decoded only when they are read, so that decoded events soon become garbage. */
  readonly #buffer: Buffer[] = [];
  #bytes = 0;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** @param signal ends the subscription, even if nothing reads it. */
  constructor(calls: Calls, after: LogPlace, mostBuffered: number, signal: AbortSignal) {
    this.#mostBuffered = mostBuffered;
    this.#signal = signal;
    const onAnswer = (encoded: Buffer) => {
      this.#buffer.push(encoded);
      this.#bytes += encoded.length;
      if (this.#isFull) this.#reading.pause();
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
   * Up to `most` events; waits if there are none. Empty: it has caught up. Undefined: nothing came for `silentAfterMs`,
   * or the signal has aborted. Throws the failure of the subscription after the events before it.
   */
  async nextBatch(most: number, silentAfterMs: number): Promise<readonly ReadEvent[] | undefined> {
    for (;;) {
      if (this.#signal.aborted) return undefined;
      const events = this.#take(most);
      if (events !== undefined) return events;
      if (this.#failure !== undefined) throw this.#failure;
      if (!(await this.#waitForActivity(silentAfterMs))) return undefined;
      // Events that arrive together are delivered one by one, so this waits for all of them.
      await setImmediate();
    }
  }

  stop(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#reading.cancel();
    this.#wake();
  }

  get #isFull(): boolean {
    return this.#buffer.length >= this.#mostBuffered || this.#bytes >= MAX_BATCH_BYTES;
  }

  /** Undefined if the buffer has nothing but signs of life. */
  #take(most: number): readonly ReadEvent[] | undefined {
    let count = 0;
    let bytes = 0;
    for (const { length } of this.#buffer) {
      if (count >= most || bytes >= MAX_BATCH_BYTES) break;
      count += 1;
      bytes += length;
    }
    this.#bytes -= bytes;
    const answers = this.#buffer.splice(0, count).map((encoded) => decodeRead(encoded));
    if (!this.#isFull) this.#reading.resume();
    if (answers.every((answer) => answer === "sign of life")) return undefined;
    return answers.filter((answer) => typeof answer === "object");
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
 * the position or later. If the event at the position was scavenged, the server would skip the next one. So the
 * subscription starts at the event before the position.
 */
async function placeBefore(calls: Calls, position: bigint, deadline: ReadDeadline): Promise<LogPlace> {
  if (position === START) return "start";
  const request = allRequest("backwards", { commit: position, prepare: position }, 1);
  const [before] = await readEvents(calls, request, deadline, false);
  return before?.position ?? "start";
}
