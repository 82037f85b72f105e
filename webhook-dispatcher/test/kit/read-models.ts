import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type EventType, eventJson, timestamp } from "@travel-booking/api-contract";
import { ALL, EVENTS, eventSort, ownedKey, WEBHOOKS } from "@travel-booking/read-models";
import {
  openLmdbReadStore,
  positionSort,
  READ_STORE_DATABASES,
  type ReadStore,
  type Write,
} from "@travel-booking/read-store";
import { open } from "lmdb";

export interface NewEvent {
  readonly accountId: string;
  readonly bookingId: string;
  readonly type: EventType;
  readonly at: number;
}

/** The read models deliveries rest on, written by hand. */
export class HandMadeReadModels {
  readonly store: ReadStore;
  readonly close: () => Promise<void>;
  position = 0n;

  private constructor(store: ReadStore, close: () => Promise<void>) {
    this.store = store;
    this.close = close;
  }

  static async open(): Promise<HandMadeReadModels> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webhook-dispatcher-"));
    const root = open<unknown, string>({
      path: folder,
      noSubdir: false,
      overlappingSync: false,
      encoding: "binary",
      maxDbs: READ_STORE_DATABASES,
    });
    const store = openLmdbReadStore(root);
    for (const { projection } of [EVENTS, WEBHOOKS]) {
      await store.create({ projection, generation: 1 }, 1);
      await store.switchLive({ projection, generation: 1 });
    }
    return new HandMadeReadModels(store, async () => {
      await root.close();
      fs.rmSync(folder, { recursive: true });
    });
  }

  async endpoint(accountId: string, endpointId: string, url: string, events: readonly EventType[]): Promise<void> {
    const sort = positionSort(this.position + 1n);
    await this.#put(WEBHOOKS.projection, WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId), {
      body: JSON.stringify({ id: endpointId, url, events }),
      state: { accountId, endpointId, url, events },
      indexes: {
        [WEBHOOKS.endpoint.byAccount]: { partition: accountId, sort },
        [WEBHOOKS.endpoint.all]: { partition: ALL, sort },
      },
    });
  }

  async removeEndpoint(accountId: string, endpointId: string): Promise<void> {
    this.position += 1n;
    const key = ownedKey(accountId, endpointId);
    await this.#write(WEBHOOKS.projection, {
      kind: "delete",
      model: WEBHOOKS.endpoint.model,
      key,
      position: this.position,
    });
  }

  /** Answers the event's id, which says its position. */
  async event({ accountId, bookingId, type, at }: NewEvent): Promise<string> {
    const id = `evt_${this.position + 1n}`;
    const { model, all, byAccount, byAccountAndType, byBooking } = EVENTS.event;
    const sort = eventSort(this.position + 1n, 0);
    const object = type.startsWith("booking.") ? { id: bookingId } : { id: `pay_${id}`, bookingId };
    await this.#put(EVENTS.projection, model, ownedKey(accountId, id), {
      body: eventJson({ id, type, at }, JSON.stringify({ ...object, createdAt: timestamp(at), note: "Zoë 🚀" })),
      state: { accountId, bookingId, type },
      indexes: {
        [all]: { partition: ALL, sort },
        [byAccount]: { partition: accountId, sort },
        [byAccountAndType]: { partition: ownedKey(accountId, type), sort },
        [byBooking]: { partition: ownedKey(accountId, bookingId), sort },
      },
    });
    return id;
  }

  async #put(
    projection: string,
    model: string,
    key: string,
    {
      body,
      state,
      indexes,
    }: { body: string; state: unknown; indexes: Record<string, { partition: string; sort: string }> },
  ): Promise<void> {
    this.position += 1n;
    const { position } = this;
    const document = { key, position, created: position, body, state, indexes, staleAt: null };
    await this.#write(projection, { kind: "put", model, document });
  }

  async #write(projection: string, write: Write): Promise<void> {
    await this.store.write([{ projection, generation: 1, writes: [write], checkpoint: this.position }]);
    this.store.refresh();
  }
}
