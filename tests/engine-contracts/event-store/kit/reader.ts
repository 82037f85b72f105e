import type { EventStore, RecordedEvent, SubscribeOptions } from "@travel-booking/engines/event-store";

/** Reads a store in the background, as a projector does, for as long as a test wants. */
export class BackgroundReader {
  readonly events: RecordedEvent[] = [];
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  #woken = Promise.withResolvers<void>();

  /** @param eachBatch is waited for after each batch, as a reader that takes its time. */
  constructor(
    store: Pick<EventStore, "subscribe">,
    after: bigint,
    options: Pick<SubscribeOptions, "maxBatch" | "afterEvent"> & { readonly eachBatch?: () => Promise<unknown> } = {},
  ) {
    const { eachBatch = async () => {}, ...rest } = options;
    const read = async () => {
      for await (const batch of store.subscribe({ after, signal: this.#abort.signal, ...rest })) {
        this.events.push(...batch);
        this.#woken.resolve();
        this.#woken = Promise.withResolvers();
        await eachBatch();
      }
    };
    this.#done = read();
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  /** Resolves when so many have come. @throws what the subscription ended with. */
  async waitForCount(count: number): Promise<void> {
    while (this.events.length < count) await this.#more();
  }

  /** Resolves when this event has come. @throws what the subscription ended with. */
  async waitForEvent(id: string): Promise<void> {
    while (!this.ids.includes(id)) await this.#more();
  }

  async #more(): Promise<void> {
    const ended = this.#done.then(() => {
      throw new Error("the subscription has ended");
    });
    await Promise.race([this.#woken.promise, ended]);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }
}
