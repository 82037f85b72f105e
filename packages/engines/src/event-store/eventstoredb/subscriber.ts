import type { AllStreamRecordedEvent, EventStoreDBClient } from "@eventstore/db-client";
import { BackOff, type BackOffOptions } from "@travel-booking/runtime/real-time";
import { EventStoreUnavailable } from "../port.ts";
import type { Patience } from "./collect.ts";
import { beforePosition, Feed } from "./feed.ts";
import { reasonOf } from "./unavailable.ts";

export interface SubscriberOptions {
  readonly backOff: BackOffOptions;
  /** Its signal ends the subscription. */
  readonly patience: Patience;
  /** After so long without a sign of life it is looked whether there should have been one. */
  readonly silenceMs: number;
  /** Where the last event is that a subscriber gets. */
  readonly head: () => Promise<bigint>;
  readonly onProblem: (error: Error) => void;
}

/** Events that wait for the reader; more would only take memory. */
const MOST_BUFFERED = 1_000;

/**
 * Reads all streams but the server's own, on one subscription after the other: the client never takes up one that was
 * dropped.
 */
export class Subscriber {
  readonly #client: EventStoreDBClient;
  readonly #options: SubscriberOptions;
  readonly #backOff: BackOff;
  readonly #signal: AbortSignal;
  #feed: Feed | undefined;
  #openedAt: number | undefined;
  /** Of the last event that was taken, whoever wrote it. */
  #position: bigint;
  /** Where the head was at the last silence. */
  #head: bigint;

  constructor(client: EventStoreDBClient, after: bigint, options: SubscriberOptions) {
    this.#client = client;
    this.#options = options;
    this.#backOff = new BackOff(options.backOff);
    this.#signal = options.patience.signal;
    this.#position = after;
    this.#head = after;
  }

  /** The next events, at most so many, each once and in order. Empty: the signal has aborted. */
  async take(most: number): Promise<AllStreamRecordedEvent[]> {
    while (!this.#signal.aborted) {
      try {
        this.#feed ??= await this.#open(most);
        const taken = await this.#feed.take(most, this.#options.silenceMs);
        const events = taken.filter(({ position }) => position.commit > this.#position);
        const last = events.at(-1);
        if (last !== undefined) {
          this.#position = last.position.commit;
          this.#backOff.succeeded();
          return events;
        }
        if (taken.length === 0) this.#checkSilence();
      } catch (error) {
        await this.#dropped(error);
      }
    }
    return [];
  }

  stop(): void {
    this.#feed?.stop();
    this.#feed = undefined;
  }

  async #open(most: number): Promise<Feed> {
    const from = await beforePosition(this.#client, this.#position, this.#options.patience);
    this.#openedAt = performance.now();
    return new Feed(this.#client, from, Math.min(most, MOST_BUFFERED), this.#signal);
  }

  /** A connection can be half open, and a subscription be forgotten: neither is an error. */
  #checkSilence(): void {
    if (this.#head > this.#position) throw new Error("nothing comes, though there is more");
    this.#options.head().then(
      (head) => {
        this.#head = head;
      },
      // That is for those to tell who need the head.
      () => undefined,
    );
  }

  async #dropped(cause: unknown): Promise<void> {
    this.stop();
    if (this.#signal.aborted) return;
    const message = `a subscription to EventStoreDB was dropped, and is taken up again: ${reasonOf(cause)}`;
    this.#options.onProblem(new EventStoreUnavailable(message, { outcomeUnknown: false, cause }));
    const lastedMs = this.#openedAt === undefined ? 0 : performance.now() - this.#openedAt;
    this.#openedAt = undefined;
    if (lastedMs > this.#options.backOff.longest) this.#backOff.succeeded();
    await this.#backOff.pause(this.#signal);
  }
}
