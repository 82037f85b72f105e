import { DAY, type EndpointHealth, type EndpointRecovery, HEALTHY, type Instant } from "@travel-booking/domain";
import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";

const SPACE = "webhook-endpoint-states";
/** Far longer than an attempt to a deleted endpoint can still be running. */
const DELETED_RETENTION = 90 * DAY;

/** The state of an endpoint. Only endpoints that have failed or were deleted have a record. */
export interface EndpointState {
  readonly health: EndpointHealth;
  /** From this time on no attempt may start; null: it is not deleted. */
  readonly deletedAt: Instant | null;
}

/** The stored form. Older records hold only the last recovery. */
type StoredState = EndpointState | (Omit<EndpointState, "health"> & { readonly health: LegacyHealth });
type LegacyHealth = Omit<EndpointHealth, "restarts"> & { readonly restart: EndpointRecovery | null };

const NEW_ENDPOINT: EndpointState = { health: HEALTHY, deletedAt: null };

/** The health of endpoints, and which of them are deleted. */
export class EndpointStates {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  async get(endpointId: string): Promise<EndpointState> {
    return toEndpointState(await this.#store.get<StoredState>(SPACE, endpointId));
  }

  /**
   * Changes the health of an endpoint by compare and swap, unless the endpoint is deleted. `change` returns the given
   * health if nothing changes, and is called again after a lost race.
   */
  async change(
    endpointId: string,
    change: (health: EndpointHealth) => EndpointHealth,
  ): Promise<{ readonly before: EndpointState; readonly after: EndpointState }> {
    for (;;) {
      const record = await this.#store.get<StoredState>(SPACE, endpointId);
      const before = toEndpointState(record);
      const health = before.deletedAt === null ? change(before.health) : before.health;
      if (health === before.health) return { before, after: before };
      const after = { ...before, health };
      if (await this.#write(endpointId, record, after)) return { before, after };
    }
  }

  /** No attempt may start from now on. Durable when it resolves. */
  async markDeleted(endpointId: string, now: Instant): Promise<void> {
    await this.#store.put<EndpointState>(
      SPACE,
      endpointId,
      { health: HEALTHY, deletedAt: now },
      { expiresAt: now + DELETED_RETENTION },
    );
  }

  async #write(endpointId: string, record: StateRecord<StoredState> | undefined, state: EndpointState) {
    if (record === undefined) return (await this.#store.create(SPACE, endpointId, state)).created;
    return (await this.#store.replace(SPACE, endpointId, record.version, state)) !== undefined;
  }
}

function toEndpointState(record: StateRecord<StoredState> | undefined): EndpointState {
  if (record === undefined) return NEW_ENDPOINT;
  const { deletedAt, health } = record.value;
  if ("restarts" in health) return { deletedAt, health };
  const { restart, ...rest } = health;
  return { deletedAt, health: { ...rest, restarts: restart === null ? [] : [restart] } };
}
