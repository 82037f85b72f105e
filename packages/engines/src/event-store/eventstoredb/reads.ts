import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  type Position,
  type StreamingRead,
} from "@eventstore/db-client";
import { START } from "../port.ts";
import { storeClosed } from "./errors.ts";
import { decodeEvent } from "./event-codec.ts";

/** How long a read may take, and when it is of no use any more. */
export interface ReadDeadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * All that a read of the client gives; the client itself would wait for it for ever. One that is given up is still read
 * to its end: the client never gets rid of a call whose answers nobody takes. Nor do its listeners go: there may be
 * errors when nobody waits any more.
 */
export async function collectEvents<Event>(
  read: StreamingRead<Event>,
  { timeoutMs, signal }: ReadDeadline,
): Promise<Event[]> {
  const events: Event[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Event[]>();
  read.on("data", (event) => events.push(event));
  read.on("end", () => resolve(events));
  read.on("error", reject);
  const timer = setTimeout(() => reject(new Error(`no answer to a read within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = () => reject(storeClosed());
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await promise;
  } catch (error) {
    read.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Most often the last event is ours, or has only a few links behind it. */
const FIRST_PAGE = 8;
const LARGEST_PAGE = 1_000;
const GROWTH = 8;

/** Events that follow each other, none of them ours. */
interface ForeignRun {
  readonly oldest: Position;
  readonly newest: bigint;
}

/** Finds the last event that a subscriber gets: behind it there may be any number of the server's own. */
export class HeadFinder {
  readonly #client: EventStoreDBClient;
  readonly #patience: ReadDeadline;
  /** Looked at before, and passed over since. */
  #foreign: readonly ForeignRun[] = [];

  constructor(client: EventStoreDBClient, patience: ReadDeadline) {
    this.#client = client;
    this.#patience = patience;
  }

  /**
   * Its position; `START` where there is none. It is read each time, because it may have been scavenged. A search that
   * takes too long has not been in vain: the next one goes on where it was.
   */
  async find(): Promise<bigint> {
    const giveUpAt = performance.now() + this.#patience.timeoutMs;
    let from: Position | typeof END = END;
    let size = FIRST_PAGE;
    let passed: ForeignRun | undefined;
    try {
      for (;;) {
        const page = await this.#readBackwards(from, size, Math.ceil(giveUpAt - performance.now()));
        let known: ForeignRun | undefined;
        for (const event of page) {
          const { position } = event;
          if (decodeEvent(event) !== undefined) {
            this.#foreign = [];
            return position.commit;
          }
          known = this.#foreign.find(
            ({ oldest, newest }) => oldest.commit <= position.commit && position.commit <= newest,
          );
          from = known?.oldest ?? position;
          passed = { oldest: from, newest: passed?.newest ?? position.commit };
          if (known !== undefined) break;
        }
        if (known === undefined && page.length < size) return START;
        if (known === undefined) size = Math.min(GROWTH * size, LARGEST_PAGE);
      }
    } finally {
      this.#cacheForeign(passed);
    }
  }

  async #readBackwards(
    from: Position | typeof END,
    size: number,
    timeoutMs: number,
  ): Promise<AllStreamRecordedEvent[]> {
    const read = this.#client.readAll({
      direction: BACKWARDS,
      fromPosition: from,
      maxCount: size,
      requiresLeader: true,
    });
    const page = await collectEvents(read, { ...this.#patience, timeoutMs: Math.max(1, timeoutMs) });
    return page.flatMap(({ event }) => event ?? []);
  }

  #cacheForeign(passed: ForeignRun | undefined): void {
    if (passed === undefined) return;
    const apart = this.#foreign.filter(({ newest }) => newest < passed.oldest.commit);
    this.#foreign = [passed, ...apart];
  }
}
