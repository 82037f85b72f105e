import type { Api } from "./api.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import type { Event, EventType } from "./generated.ts";
import { pause } from "./request.ts";

export interface FollowOptions {
  /** Id of the last event that was seen; without it, everything from the first event on. */
  readonly after?: string | undefined;
  /** By default the usual types, those of bookings and payments. */
  readonly type?: EventType | readonly EventType[] | undefined;
  readonly bookingId?: string | undefined;
  /** Seconds that one request waits for something new, at most 30. */
  readonly waitSeconds?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_WAIT_SECONDS = 30;
const PAGE = 100;
/** After the retries of a call have come to nothing. */
const PAUSE_MS = 1_000;

/** Events in the order they happened, each once, until it is told to stop. One iteration at a time. */
export class FollowedEvents implements AsyncIterable<Event> {
  readonly #api: Api;
  readonly #options: FollowOptions;
  #lastEventId: string | undefined;
  /** Goes on behind what was looked through without finding an event. */
  #cursor: string | undefined;

  constructor(api: Api, options: FollowOptions) {
    this.#api = api;
    this.#options = options;
    this.#lastEventId = options.after;
  }

  /** Of the event handed out last. Store it once that is dealt with, and go on from it with `after`. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** @throws ApiError the service refuses for good: the credential, or an `after` that it doesn't know. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { signal } = this.#options;
    const isStopped = () => signal?.aborted === true;
    while (!isStopped()) {
      let events: readonly Event[];
      try {
        events = await this.#next();
      } catch (error) {
        if (isStopped()) return;
        if (!mayPass(error)) throw error;
        await pause(PAUSE_MS, signal).catch(() => undefined);
        continue;
      }
      for (const event of events) {
        this.#lastEventId = event.id;
        yield event;
      }
    }
  }

  async #next(): Promise<readonly Event[]> {
    const { type, bookingId, waitSeconds = MAX_WAIT_SECONDS, signal } = this.#options;
    const after = this.#lastEventId;
    const query = {
      order: "asc" as const,
      wait: waitSeconds,
      limit: PAGE,
      ...(after !== undefined && { after }),
      ...(this.#cursor !== undefined && { cursor: this.#cursor }),
      ...(type !== undefined && { type: [type].flat() }),
      ...(bookingId !== undefined && { bookingId }),
    };
    const { data, page } = await this.#api.call("get", "/v1/events", { query, waitSeconds }, { signal });
    this.#cursor = data.length > 0 ? undefined : (page.nextCursor ?? this.#cursor);
    return data;
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.retryable);
}
