import { Backoff, backgroundPause } from "@travel-booking/runtime/real-time";
import { AnotherLog } from "../known-log.ts";
import { EventStoreUnavailable } from "../port.ts";
import type { Outage } from "./outage.ts";

/** Pauses between two tries of a call that the server has not attempted. */
const RETRY = { initialMs: 50, maxMs: 500 };
/** Real time between two checks whether the server is back. */
const PROBE_EVERY_MS = 1_000;

export interface AvailabilityOptions {
  readonly outage: Outage;
  /** Real milliseconds for which calls wait for a server that is away. */
  readonly toleratedMs: number;
  /** Rejects if the server can't be used; `write`: for appends. */
  readonly probe: (write: boolean) => Promise<unknown>;
  readonly closing: AbortSignal;
}

/**
 * Whether the server can be used, as calls find out. During a short outage, such as an election, calls wait and are
 * tried again. After a longer one they fail at once, until a probe finds that the server is back.
 */
export class Availability {
  readonly #options: AvailabilityOptions;
  /** `write`: appends fail. A node that lost its leader still answers reads. */
  #problem: { readonly since: number; readonly error: EventStoreUnavailable; write: boolean } | undefined;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  get hasProblem(): boolean {
    return this.#problem !== undefined;
  }

  /**
   * The result of a call, which is repeated only if nothing was attempted.
   * @throws EventStoreUnavailable the server has been away for too long, or the outcome is unknown.
   */
  async call<Result>(write: boolean, attempt: () => Promise<Result>): Promise<Result> {
    const backoff = new Backoff(RETRY);
    for (;;) {
      if (this.#isGivenUp) throw this.#refusal();
      const since = performance.now();
      try {
        const result = await attempt();
        this.#onAnswer(write);
        return result;
      } catch (error) {
        if (!(error instanceof EventStoreUnavailable)) this.#onAnswer(write);
        if (!isOutage(error) || this.#options.closing.aborted) throw error;
        this.#onFailure(error, write, since);
        if (error.outcomeUnknown || this.#isGivenUp) throw error;
        await backoff.pause(this.#options.closing);
      }
    }
  }

  get #isGivenUp(): boolean {
    return this.#problem !== undefined && performance.now() - this.#problem.since >= this.#options.toleratedMs;
  }

  #refusal(): EventStoreUnavailable {
    const seconds = this.#options.toleratedMs / 1_000;
    const message = `EventStoreDB has been out of reach for more than ${seconds} s`;
    return new EventStoreUnavailable(message, { outcomeUnknown: false, cause: this.#problem?.error });
  }

  /** While appends fail, an answered read does not end the outage. */
  #onAnswer(write: boolean): void {
    if (this.#problem?.write === true && !write) return;
    this.#problem = undefined;
    this.#options.outage.end();
  }

  /** @param since when the failed call began. */
  #onFailure(error: EventStoreUnavailable, write: boolean, since: number): void {
    if (this.#problem !== undefined) {
      this.#problem.write ||= write;
      return;
    }
    this.#problem = { since, error, write };
    this.#options.outage.begin(error);
    void this.#probeUntilBack();
  }

  async #probeUntilBack(): Promise<void> {
    const { closing, probe } = this.#options;
    const problem = this.#problem;
    while (problem !== undefined && this.#problem === problem) {
      await backgroundPause(PROBE_EVERY_MS, closing);
      if (closing.aborted || this.#problem !== problem) return;
      const { write } = problem;
      await probe(write).then(
        () => this.#onAnswer(write),
        () => undefined,
      );
    }
  }
}

/** Waiting does not help if the operator has to act, or if the log is another one. */
function isOutage(error: unknown): error is EventStoreUnavailable {
  return error instanceof EventStoreUnavailable && !error.isMisconfigured && !(error instanceof AnotherLog);
}
