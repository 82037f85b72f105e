import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  type Position,
} from "@eventstore/db-client";
import { START } from "../port.ts";
import { collectEvents, type ReadDeadline } from "./collect-events.ts";
import { decodeEvent } from "./event-codec.ts";

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
