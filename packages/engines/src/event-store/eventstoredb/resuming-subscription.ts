import type { AllStreamRecordedEvent, EventStoreDBClient } from "@eventstore/db-client";
import { Backoff, type BackoffOptions } from "@travel-booking/runtime/real-time";
import { EventStoreUnavailable } from "../port.ts";
import { BufferedSubscription, positionBefore } from "./buffered-subscription.ts";
import type { ReadDeadline } from "./collect-events.ts";
import { reasonOf } from "./unavailable.ts";

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
