import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import type { EventReference, ProjectionStatus, ProjectorControl } from "./control.ts";

const SPACE = "skipped-events";

/**
 * The events that operators have skipped. A projection leaves out a skipped event that it can't handle, also in
 * rebuilds (docs/decisions/0043-a-stopped-projection-holds-up-what-it-shows.md).
 */
export class SkippedEvents {
  readonly #store: Pick<StateStore, "get" | "create" | "list">;

  constructor(store: Pick<StateStore, "get" | "create" | "list">) {
    this.#store = store;
  }

  /** Durable when it resolves. */
  async add(projection: string, event: EventReference): Promise<void> {
    await this.#store.create(SPACE, keyOf(projection, event.id), event);
  }

  async has(projection: string, eventId: string): Promise<boolean> {
    return (await this.#store.get(SPACE, keyOf(projection, eventId))) !== undefined;
  }

  /** The skipped events of a projection, in the order of the log. */
  async of(projection: string): Promise<readonly EventReference[]> {
    const events: EventReference[] = [];
    const records = scanPrefix<EventReference>(this.#store, SPACE, keyOf(projection, ""));
    for await (const { value } of records) events.push(value);
    return events.toSorted((one, other) => Number(BigInt(one.position) - BigInt(other.position)));
  }
}

const keyOf = (projection: string, eventId: string) => `${projection}/${eventId}`;

/**
 * Skips the event that stopped a projection, which then continues, or the event that ended its last rebuild.
 * @throws ProjectorRefusal no such projection, or no such event.
 */
export async function skipFailedEvent(
  projector: ProjectorControl,
  skippedEvents: SkippedEvents,
  name: string,
): Promise<ProjectionStatus> {
  const status = (await projector.list()).find((one) => one.name === name);
  if (status !== undefined && status.failedAt !== null) {
    await skippedEvents.add(name, status.failedAt);
    if (status.state === "live") return status;
  }
  return projector.retry(name);
}
