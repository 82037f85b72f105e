import type { PendingDelivery } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { findEventStub, findEventStubAt, jsonOfEvents } from "@travel-booking/read-models";
import { LRUCache } from "lru-cache";

/** An event as it is sent. */
export interface EventToSend {
  readonly eventId: string;
  readonly body: Uint8Array;
}

const MAX_CACHED = 1_024;
/** Events of a lane that are derived together: they are of one booking. */
const AHEAD = 8;

/** Derives events from the read models. Keeps the latest: each goes to several endpoints, and never changes. */
export class EventBodies {
  readonly #models: ReadModels;
  readonly #cache = new LRUCache<string, Promise<EventToSend | undefined>>({ max: MAX_CACHED });

  constructor(models: ReadModels) {
    this.#models = models;
  }

  /** The event of the first of these deliveries of a lane; undefined where the read models lack it. */
  async first(accountId: string, deliveries: readonly PendingDelivery[]): Promise<EventToSend | undefined> {
    const keyOf = ({ eventId }: PendingDelivery) => `${accountId}/${eventId}`;
    const [first] = deliveries;
    if (first === undefined) return undefined;
    const cached = this.#cache.get(keyOf(first));
    if (cached !== undefined) return cached;
    const wanted = deliveries.slice(0, AHEAD);
    const derived = this.#derive(accountId, wanted);
    for (const [index, delivery] of wanted.entries()) {
      const event = derived.then((events) => events[index]);
      this.#cache.set(keyOf(delivery), event);
      const forget = () => void (this.#cache.peek(keyOf(delivery)) === event && this.#cache.delete(keyOf(delivery)));
      event.then((found) => found ?? forget(), forget);
    }
    return (await derived)[0];
  }

  async #derive(
    accountId: string,
    deliveries: readonly PendingDelivery[],
  ): Promise<readonly (EventToSend | undefined)[]> {
    const stubs = await Promise.all(
      deliveries.map(
        // A delivery from before a change of all ids names the former one.
        async ({ eventId, sort }) =>
          (await findEventStub(this.#models, accountId, eventId)) ??
          (await findEventStubAt(this.#models, accountId, sort)),
      ),
    );
    const found = stubs.filter((stub) => stub !== undefined);
    const bodies = await jsonOfEvents(this.#models, found);
    const events = new Map(
      found.flatMap((stub, index) => {
        const json = bodies[index];
        return json === undefined ? [] : [[stub, { eventId: stub.eventId, body: Buffer.from(json) }] as const];
      }),
    );
    return stubs.map((stub) => stub && events.get(stub));
  }
}
