import type { StateStore } from "@travel-booking/engines/state-store";

const SPACE = "webhook-fan-out";
const KEY = "checkpoint";

/** How far events have been turned into what endpoints are owed: the place of the last one; "" before the first. */
export class FanOutCheckpoint {
  readonly #store: Pick<StateStore, "get" | "put">;

  constructor(store: Pick<StateStore, "get" | "put">) {
    this.#store = store;
  }

  async load(): Promise<string> {
    return (await this.#store.get<string>(SPACE, KEY))?.value ?? "";
  }

  /** Durable when it resolves. */
  async save(sort: string): Promise<void> {
    await this.#store.put(SPACE, KEY, sort);
  }
}
