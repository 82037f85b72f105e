import { withTimeout } from "@travel-booking/runtime/real-time";
import { START } from "../port.ts";
import type { Calls } from "./calls.ts";
import { reasonOf, storeClosed, unavailable } from "./errors.ts";
import type { ReadEvent } from "./event-codec.ts";
import type { LogPosition } from "./messages.ts";
import { allRequest, decodeRead, type LogPlace } from "./read-messages.ts";

/** Limits of a read: real milliseconds, and a signal that ends it. */
export interface ReadDeadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * All events of a read; none if there is no such stream.
 * @param requiresLeader else a node that lost its leader may answer from what it has.
 */
export async function readEvents(
  calls: Calls,
  request: Buffer,
  { timeoutMs, signal }: ReadDeadline,
  requiresLeader = true,
): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<ReadEvent[]>();
  const take = (encoded: Buffer) => {
    const answer = decodeRead(encoded);
    if (typeof answer === "object") events.push(answer);
  };
  const end = (failure?: Error) => (failure === undefined ? resolve(events) : reject(failure));
  const reading = calls.read(request, requiresLeader, take, end);
  const onAbort = () => reject(storeClosed());
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await withTimeout(promise, timeoutMs, () => new Error(`no answer to a read within ${timeoutMs} ms`));
  } catch (error) {
    reading.cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The id of the event at a position; undefined if none begins there, or the log ends before it. */
export async function eventIdAt(calls: Calls, position: bigint, deadline: ReadDeadline): Promise<string | undefined> {
  const request = allRequest("forwards", { commit: position, prepare: position }, 1);
  try {
    const [found] = await readEvents(calls, request, deadline);
    return found?.position.commit === position ? found.id : undefined;
  } catch (error) {
    if (reasonOf(error).includes("InvalidPosition")) return undefined;
    throw unavailable(error);
  }
}

/** Usually the last event is ours, or only a few links follow it. */
const FIRST_PAGE = 8;
const LARGEST_PAGE = 1_000;
const GROWTH = 8;

/** Consecutive events of other writers or the server. */
interface ForeignRun {
  readonly oldest: LogPosition;
  readonly newest: bigint;
}

/** Finds the last event that a subscriber gets. Any number of system events may follow it. */
export class HeadFinder {
  readonly #calls: Calls;
  readonly #deadline: ReadDeadline;
  /** Runs of foreign events that searches passed since the last success, newest first. The next search skips them. */
  #passed: readonly ForeignRun[] = [];

  constructor(calls: Calls, deadline: ReadDeadline) {
    this.#calls = calls;
    this.#deadline = deadline;
  }

  /**
   * Position of the last event that a subscriber gets; `START` if there is none. The event is read each time, as it may
   * have been scavenged. A search that times out is resumed by the next one.
   */
  async find(): Promise<bigint> {
    const giveUpAt = performance.now() + this.#deadline.timeoutMs;
    let from: LogPlace = "end";
    let size = FIRST_PAGE;
    let run: ForeignRun | undefined;
    try {
      for (;;) {
        const page = await this.#readBackwards(from, size, Math.ceil(giveUpAt - performance.now()));
        let known: ForeignRun | undefined;
        for (const { position, recorded } of page) {
          if (recorded !== undefined) {
            this.#passed = [];
            return position.commit;
          }
          known = this.#runAt(position.commit);
          from = known?.oldest ?? position;
          run = { oldest: from, newest: run?.newest ?? position.commit };
          if (known !== undefined) break;
        }
        if (known === undefined && page.length < size) return START;
        if (known === undefined) size = Math.min(GROWTH * size, LARGEST_PAGE);
      }
    } finally {
      if (run !== undefined) this.#pass(run);
    }
  }

  #readBackwards(from: LogPlace, size: number, timeoutMs: number): Promise<ReadEvent[]> {
    const deadline = { ...this.#deadline, timeoutMs: Math.max(1, timeoutMs) };
    return readEvents(this.#calls, allRequest("backwards", from, size), deadline);
  }

  /** The run of foreign events around this position, if a search has passed it before. */
  #runAt(commit: bigint): ForeignRun | undefined {
    return this.#passed.find(({ oldest, newest }) => oldest.commit <= commit && commit <= newest);
  }

  /** Adds a run. Older runs that it has not reached stay, because a later search may reach them. */
  #pass(run: ForeignRun): void {
    this.#passed = [run, ...this.#passed.filter(({ oldest }) => oldest.commit < run.oldest.commit)];
  }
}
