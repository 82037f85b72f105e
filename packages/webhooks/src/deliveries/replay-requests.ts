import type { Instant } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";

const SPACE = "webhook-replays";

/** Somebody asked for an endpoint to be sent all events since a moment once more. JSON. */
export interface ReplayRequest {
  readonly accountId: string;
  readonly endpointId: string;
  readonly since: Instant;
  /** The place of the last event that was looked at; null: none yet. */
  readonly cursor: string | null;
}

export interface OpenReplay {
  readonly key: string;
  readonly request: ReplayRequest;
}

/** Replays that were asked for and not yet carried out. */
export class ReplayRequests {
  readonly #store: Pick<StateStore, "create" | "put" | "remove" | "list">;

  constructor(store: Pick<StateStore, "create" | "put" | "remove" | "list">) {
    this.#store = store;
  }

  /** `id` tells requests apart: the same one again changes nothing. Durable when it resolves. */
  async add(id: string, request: Omit<ReplayRequest, "cursor">): Promise<void> {
    await this.#store.create<ReplayRequest>(SPACE, `${request.endpointId}/${id}`, { ...request, cursor: null });
  }

  /** One of those that are open. */
  async next(): Promise<OpenReplay | undefined> {
    const [record] = await this.#store.list<ReplayRequest>(SPACE, { limit: 1 });
    return record && { key: record.key, request: record.value };
  }

  async save({ key, request }: OpenReplay): Promise<void> {
    await this.#store.put(SPACE, key, request);
  }

  async finish({ key }: OpenReplay): Promise<void> {
    await this.#store.remove(SPACE, key);
  }
}
