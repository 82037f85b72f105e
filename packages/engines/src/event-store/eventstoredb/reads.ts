import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type Position,
  type StreamingRead,
} from "@eventstore/db-client";
import { START } from "../port.ts";
import { reasonOf, storeClosed, unavailable } from "./errors.ts";
import { decodeEvent } from "./event-codec.ts";

/** Limits of a read: real milliseconds, and a signal that ends it. */
export interface ReadDeadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * All events of a read, which by itself has no deadline. A read that timed out is still consumed, as the client never
 * releases a call whose data is not consumed; its listeners stay, as it may emit errors later.
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
  const timeOut = () => reject(new Error(`no answer to a read within ${timeoutMs} ms`));
  // What came while this process did not run is in time: it is read first.
  const timer = setTimeout(() => setImmediate(timeOut), timeoutMs);
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

/** The id of the event at a position; undefined where none begins, or the log ends before. */
export async function eventIdAt(
  client: EventStoreDBClient,
  position: bigint,
  deadline: ReadDeadline,
): Promise<string | undefined> {
  const fromPosition = { commit: position, prepare: position };
  const read = client.readAll({ direction: FORWARDS, fromPosition, maxCount: 1, requiresLeader: true });
  try {
    const [found] = await collectEvents(read, deadline);
    return found?.event?.position.commit === position ? found.event.id : undefined;
  } catch (error) {
    if (reasonOf(error).includes("InvalidPosition")) return undefined;
    throw unavailable(error);
  }
}

/** Usually the last event is ours, or has only a few links behind it. */
const FIRST_PAGE = 8;
const LARGEST_PAGE = 1_000;
const GROWTH = 8;

/** Consecutive events that are not ours. */
interface ForeignRun {
  readonly oldest: Position;
  readonly newest: bigint;
}

/** Finds the last event that a subscriber gets: any number of system events may follow it. */
export class HeadFinder {
  readonly #client: EventStoreDBClient;
  readonly #deadline: ReadDeadline;
  /** Runs found before, which are skipped now. */
  #foreign: readonly ForeignRun[] = [];

  constructor(client: EventStoreDBClient, deadline: ReadDeadline) {
    this.#client = client;
    this.#deadline = deadline;
  }

  /**
   * Its position; `START` if there is none. It is read each time, as it may have been scavenged. A search that times
   * out is resumed by the next one.
   */
  async find(): Promise<bigint> {
    const giveUpAt = performance.now() + this.#deadline.timeoutMs;
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
    const page = await collectEvents(read, { ...this.#deadline, timeoutMs: Math.max(1, timeoutMs) });
    return page.flatMap(({ event }) => event ?? []);
  }

  #cacheForeign(passed: ForeignRun | undefined): void {
    if (passed === undefined) return;
    const apart = this.#foreign.filter(({ newest }) => newest < passed.oldest.commit);
    this.#foreign = [passed, ...apart];
  }
}
