import type { LaneKind } from "@travel-booking/domain";
import { eventOfLane } from "@travel-booking/read-models";
import { LRUCache } from "lru-cache";
import type { DispatcherContext } from "../dispatcher-options.ts";

/** An event as it is sent. */
export interface SentEvent {
  readonly eventId: string;
  readonly body: Buffer;
  /** The id of the key of its booking's words; undefined: it has no such words. */
  readonly keyId: string | undefined;
}

interface Place {
  readonly accountId: string;
  readonly kind: LaneKind;
  readonly about: string;
  readonly eventId: string;
  /** `eventSortKey` */
  readonly sort: string;
}

/** Bytes of events in memory. */
const MAX_BYTES = 16_777_216;

/** Events as they are sent. Each is derived once for all endpoints that get it at about the same time. */
export class SentEvents {
  readonly #options: Pick<DispatcherContext, "models" | "words">;
  readonly #derived = new LRUCache<string, SentEvent, Place>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length,
    fetchMethod: (_, __, { context }) => this.#derive(context),
    ignoreFetchAbort: true,
  });

  constructor(options: Pick<DispatcherContext, "models" | "words">) {
    this.#options = options;
  }

  /** Undefined if the event is not in the read models. */
  async find(context: Place): Promise<SentEvent | undefined> {
    const name = `${context.accountId} ${context.about} ${context.sort}`;
    const found = await this.#derived.fetch(name, { context });
    if (found?.keyId === undefined || (await this.#options.words.find(found.keyId)) !== null) return found;
    // The words of the event may have been erased since it was cached.
    return this.#derived.fetch(name, { context, forceRefresh: true });
  }

  async #derive(place: Place): Promise<SentEvent | undefined> {
    const event = await eventOfLane(this.#options.models, place, place);
    return event && { eventId: event.eventId, body: Buffer.from(event.json), keyId: event.keyId };
  }
}
