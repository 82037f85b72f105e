import { type EventType, eventJson, timestamp } from "@travel-booking/api-contract";
import type { ReadStore, Write } from "@travel-booking/engines/read-store";
import { temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { EVENTS, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import { type EndpointFixture, putEndpoint, putEvent } from "@travel-booking/read-models/testing";

export interface NewEvent {
  readonly accountId: string;
  readonly bookingId: string;
  readonly type: EventType;
  readonly at: number;
}

/** The read models of the dispatcher, written by hand. */
export class FixtureReadModels {
  readonly store: ReadStore;
  readonly close: () => Promise<void>;
  position = 0n;

  private constructor(store: ReadStore, close: () => Promise<void>) {
    this.store = store;
    this.close = close;
  }

  static async open(): Promise<FixtureReadModels> {
    const { store, close } = temporaryReadStore();
    for (const { projection } of [EVENTS, WEBHOOKS]) {
      await store.create({ projection, generation: 1 }, 1);
      await store.switchLive({ projection, generation: 1 });
    }
    return new FixtureReadModels(store, close);
  }

  async endpoint(endpoint: EndpointFixture): Promise<void> {
    await this.#write(WEBHOOKS.projection, (position) => putEndpoint(position, endpoint));
  }

  async removeEndpoint(accountId: string, endpointId: string): Promise<void> {
    const key = ownedKey(accountId, endpointId);
    await this.#write(WEBHOOKS.projection, (position) => ({
      kind: "delete",
      model: WEBHOOKS.endpoint.model,
      key,
      position,
    }));
  }

  /** Returns the id of the event, which contains its position. */
  async event({ accountId, bookingId, type, at }: NewEvent): Promise<string> {
    const id = `evt_${this.position + 1n}`;
    const object = type.startsWith("booking.") ? { id: bookingId } : { id: `pay_${id}`, bookingId };
    const json = eventJson({ id, type, at }, JSON.stringify({ ...object, createdAt: timestamp(at), note: "Zoë 🚀" }));
    await this.#write(EVENTS.projection, (position) => putEvent(position, id, json, { accountId, bookingId, type }));
    return id;
  }

  async #write(projection: string, writeAt: (position: bigint) => Write): Promise<void> {
    this.position += 1n;
    const writes = [writeAt(this.position)];
    await this.store.write([{ projection, generation: 1, writes, checkpoint: this.position }]);
    this.store.refresh();
  }
}
