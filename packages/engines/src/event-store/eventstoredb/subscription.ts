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
import { EventStoreUnavailable, START } from "../port.ts";
import { reasonOf } from "./errors.ts";
import { collectEvents, type ReadDeadline } from "./reads.ts";

export interface ResumingSubscriptionOptions {
  readonly backOff: BackoffOptions;
  /** Its signal ends the subscription. */
  readonly deadline: ReadDeadline;
  /** After so long without a sign of life it is looked whether there should have been one. */
  readonly idleTimeoutMs: number;
  /** Where the last event is that a subscriber gets. */
  readonly head: () => Promise<bigint>;
  readonly onProblem: (error: Error) => void;
}

/** Events that wait for the reader; more would only take memory. */
const MAX_BUFFERED = 1_000;

/**
 * Reads all streams but the server's own, on one subscription after the other: the client never takes up one that was
 * dropped.
 */
export class ResumingSubscription {
  readonly #client: EventStoreDBClient;
  readonly #options: ResumingSubscriptionOptions;
  readonly #backOff: Backoff;
  readonly #signal: AbortSignal;
  #subscription: BufferedSubscription | undefined;
  #openedAt: number | undefined;
  /** Of the last event that was taken, whoever wrote it. */
  #position: bigint;
  /** Where the head was at the last silence. */
  #head: bigint;

  constructor(client: EventStoreDBClient, after: bigint, options: ResumingSubscriptionOptions) {
    this.#client = client;
    this.#options = options;
    this.#backOff = new Backoff(options.backOff);
    this.#signal = options.deadline.signal;
    this.#position = after;
    this.#head = after;
  }

  /** The next events, at most so many, each once and in order. Empty: the signal has aborted. */
  async nextBatch(most: number): Promise<AllStreamRecordedEvent[]> {
    while (!this.#signal.aborted) {
      try {
        this.#subscription ??= await this.#open(most);
        const taken = await this.#subscription.nextBatch(most, this.#options.idleTimeoutMs);
        const events = taken.filter(({ position }) => position.commit > this.#position);
        const last = events.at(-1);
        if (last !== undefined) {
          this.#position = last.position.commit;
          this.#backOff.reset();
          return events;
        }
        if (taken.length === 0) this.#checkIdle();
      } catch (error) {
        await this.#handleDrop(error);
      }
    }
    return [];
  }

  stop(): void {
    this.#subscription?.stop();
    this.#subscription = undefined;
  }

  async #open(most: number): Promise<BufferedSubscription> {
    const from = await positionBefore(this.#client, this.#position, this.#options.deadline);
    this.#openedAt = performance.now();
    return new BufferedSubscription(this.#client, from, Math.min(most, MAX_BUFFERED), this.#signal);
  }

  /** A connection can be half open, and a subscription be forgotten: neither is an error. */
  #checkIdle(): void {
    if (this.#head > this.#position) throw new Error("no events arrive although the log has more");
    this.#options.head().then(
      (head) => {
        this.#head = head;
      },
      // That is for those to tell who need the head.
      () => undefined,
    );
  }

  async #handleDrop(cause: unknown): Promise<void> {
    this.stop();
    if (this.#signal.aborted) return;
    const message = `a subscription to EventStoreDB was dropped, and is being resumed: ${reasonOf(cause)}`;
    this.#options.onProblem(new EventStoreUnavailable(message, { outcomeUnknown: false, cause }));
    const lastedMs = this.#openedAt === undefined ? 0 : performance.now() - this.#openedAt;
    this.#openedAt = undefined;
    if (lastedMs > this.#options.backOff.maxMs) this.#backOff.reset();
    await this.#backOff.pause(this.#signal);
  }
}

/** No stream of the server's own. */
const NOT_SYSTEM = "^[^$]";
/** Events that the server looks through at once for those that pass the filter. */
const SEARCH_WINDOW = 512;
/** So often it says how far it has looked where none did: a sign of life, and nothing to resume from. */
const CHECKPOINT_EVERY = 8 * SEARCH_WINDOW;

/**
 * One subscription of the client to all streams but the server's own. What the reader has not taken waits in a buffer
 * of a fixed length, and behind it at the server.
 */
class BufferedSubscription {
  readonly #subscription: AllStreamSubscription;
  readonly #signal: AbortSignal;
  readonly #stop = () => this.stop();
  readonly #onActivity = () => this.#wake();
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** @param signal ends it, also where nobody takes from it any more. */
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
    // The client may tell of errors when the feed has been stopped: somebody has to listen for ever.
    this.#subscription.on("error", (error: Error) => this.#fail(error));
    this.#subscription.on("end", () => this.#fail(new Error("the server ended it")));
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  /**
   * What has come, at most so much; waits where there is nothing. Empty: there was no sign of life for so long, or the
   * signal has aborted. What came before a failure is taken first.
   */
  async nextBatch(most: number, silentAfterMs: number): Promise<AllStreamRecordedEvent[]> {
    for (;;) {
      if (this.#signal.aborted) return [];
      const events = this.#buffered(most);
      if (events.length > 0) return events;
      if (this.#failure !== undefined) throw this.#failure;
      if (!(await this.#waitForActivity(silentAfterMs))) return [];
      // What has arrived together is handed on one by one: wait until all of it is here.
      await setImmediate();
    }
  }

  stop(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#subscription.unsubscribe().catch(() => undefined);
    // The client never gets rid of a call whose answers nobody takes.
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
 * From where a subscription gets all events behind a position. The server goes on behind the first event that it finds
 * at the position or later: had the one at the position been scavenged, the next one would be left out. So it is told
 * the one before.
 */
async function positionBefore(
  client: EventStoreDBClient,
  position: bigint,
  patience: ReadDeadline,
): Promise<Position | typeof FROM_START> {
  if (position === START) return FROM_START;
  const at = { commit: position, prepare: position };
  const [before] = await collectEvents(
    client.readAll({ direction: BACKWARDS, fromPosition: at, maxCount: 1 }),
    patience,
  );
  return before?.event?.position ?? FROM_START;
}
