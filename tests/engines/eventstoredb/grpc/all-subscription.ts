import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { Drop } from "../control/faults.ts";
import type { EventStoreDbDouble } from "../double.ts";
import { CANCELLED, type Failure, TOO_SLOW } from "./failures.ts";
import { checkpointInterval, filterOf, type Matches } from "./filter.ts";
import { caughtUp, checkpoint, confirmation, eventMessage } from "./messages.ts";
import { type ReadCall, write } from "./read-call.ts";

/** Events that may wait for a live subscriber of 23.10. */
const LIVE_WINDOW = 32;

/** One subscription to `$all`. */
export class AllSubscription {
  readonly #double: EventStoreDbDouble;
  readonly #call: ReadCall;
  readonly #matches: Matches;
  readonly #checkpointInterval: number;
  readonly #end = new AbortController();
  readonly #after: bigint | undefined;
  #next = 0;
  #scanned = 0;
  #isLive = false;
  #isWaiting = false;
  #failure: Failure | undefined;

  /**
   * @param after the position behind which it begins, which may be beyond the end.
   * @throws Error its filter is none.
   */
  constructor(double: EventStoreDbDouble, call: ReadCall, options: ReadReq.Options, after: bigint | undefined) {
    this.#double = double;
    this.#call = call;
    this.#matches = filterOf(options.getFilter());
    this.#after = after;
    this.#checkpointInterval = checkpointInterval(options.getFilter()) ?? Number.POSITIVE_INFINITY;
  }

  /** From an index of the log on. Resolves when it is over, with the failure it ended in, if any. */
  async run(next: number): Promise<Failure | undefined> {
    this.#next = next;
    const { log, faults } = this.#double;
    const { signal } = this.#end;
    const left = faults.subscribed((how) => this.#drop(how));
    this.#call.once("cancelled", () => this.#end.abort());
    log.onGrowth(() => this.#fallBehind(), signal);
    await this.#write(confirmation(randomUUID()));
    while (!signal.aborted) {
      if (!faults.silent && this.#next < log.events.length) await this.#step();
      else {
        const growth = log.waitForGrowth(signal);
        if (!this.#isLive && !faults.silent) await this.#goLive();
        await growth;
      }
    }
    left();
    return this.#failure;
  }

  /** Undefined: the next step may follow at once. */
  #step(): Promise<void> | undefined {
    const event = this.#double.log.events[this.#next++];
    if (event === undefined || (this.#after !== undefined && event.position <= this.#after)) return undefined;
    this.#scanned++;
    const written = this.#matches(event) ? this.#write(eventMessage(event)) : undefined;
    const isCheckpoint = this.#scanned % this.#checkpointInterval === 0;
    // Many that nobody asked for must not hold up everybody else.
    const isLong = this.#scanned % 1_000 === 0;
    if (!isCheckpoint && !isLong) return written;
    return (async () => {
      await written;
      if (isCheckpoint) await this.#write(checkpoint(event.position));
      if (isLong) await setImmediate();
    })();
  }

  async #goLive(): Promise<void> {
    this.#isLive = true;
    await this.#write(caughtUp());
  }

  #write(message: Buffer): Promise<void> | undefined {
    const room = write(this.#call, message, this.#end.signal);
    if (room === undefined) return undefined;
    this.#isWaiting = true;
    return room.then(() => {
      this.#isWaiting = false;
    });
  }

  #fallBehind(): void {
    const { log, faults } = this.#double;
    if (!this.#isLive || !this.#isWaiting || log.events.length - this.#next <= LIVE_WINDOW) return;
    if (faults.dropsSlowConsumers) this.#drop("too slow");
    else this.#isLive = false;
  }

  #drop(how: Drop): void {
    if (how !== "ended") this.#failure = how === "too slow" ? TOO_SLOW : CANCELLED;
    this.#end.abort();
  }
}
