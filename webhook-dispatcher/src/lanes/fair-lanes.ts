import { laneName } from "@travel-booking/webhook-deliveries";

export interface FairLanesOptions {
  /** Works on a lane; the signal aborts where what is under way is to be abandoned. */
  readonly work: (lane: string, signal: AbortSignal) => Promise<void>;
  /** A lane could not be worked on. */
  readonly failed: (lane: string, error: unknown) => void;
  /** Lanes worked on at once. */
  readonly slots: number;
  /** Of those, for one endpoint. */
  readonly perEndpoint: number;
  /** The same, for an endpoint that does not take its deliveries. */
  readonly perFailingEndpoint: number;
}

/** The lanes of one endpoint. */
interface Turns {
  readonly waiting: Set<string>;
  running: number;
  failing: boolean;
}

interface Run {
  readonly abort: AbortController;
  again: boolean;
}

/**
 * Works on many lanes at once, in turn over the endpoints: one that has a thousand lanes, or answers slowly, does not
 * hold up another. Endpoints that fail get half of the slots together and few each, for theirs are the attempts that
 * take long.
 */
export class FairLanes {
  readonly #options: FairLanesOptions;
  readonly #endpoints = new Map<string, Turns>();
  /** Those with lanes waiting; the next in turn is the first. */
  readonly #turn = new Set<string>();
  readonly #runs = new Map<string, Run>();
  readonly #idle = new Set<() => void>();
  #failingRuns = 0;
  #stopped = false;

  constructor(options: FairLanesOptions) {
    this.#options = options;
  }

  /** Has a lane worked on; once, however often this is asked for before; once more where it is being worked on. */
  add(lane: string): void {
    if (this.#stopped) return;
    const run = this.#runs.get(lane);
    if (run !== undefined) {
      run.again = true;
      return;
    }
    const { endpointId } = laneName(lane);
    const turns = this.#turnsOf(endpointId);
    turns.waiting.add(lane);
    this.#turn.add(endpointId);
    this.#fill();
  }

  /** Tells whether an endpoint takes its deliveries; forgotten when nothing of it waits any more. */
  mark(endpointId: string, failing: boolean): void {
    const turns = this.#endpoints.get(endpointId);
    if (turns !== undefined) turns.failing = failing;
  }

  /** Abandons what is under way to an endpoint, and what waits. */
  abandon(endpointId: string): void {
    this.#endpoints.get(endpointId)?.waiting.clear();
    this.#turn.delete(endpointId);
    for (const [lane, { abort }] of this.#runs) {
      if (laneName(lane).endpointId === endpointId) abort.abort(new Abandoned());
    }
    this.#tellIdle();
  }

  /** Resolves when nothing waits and nothing is under way. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.add(resolve);
    });
  }

  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.#endpoints.values()) count += waiting.size;
    return count;
  }

  /** Begins nothing more; what is under way has so many milliseconds of real time to end, then it is abandoned. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (const { waiting } of this.#endpoints.values()) waiting.clear();
    this.#turn.clear();
    this.#tellIdle();
    const timer = setTimeout(() => {
      for (const { abort } of this.#runs.values()) abort.abort(new Abandoned());
    }, graceMs);
    await this.idle();
    clearTimeout(timer);
  }

  get #isIdle(): boolean {
    return this.#runs.size === 0 && this.#turn.size === 0;
  }

  #turnsOf(endpointId: string): Turns {
    const turns = this.#endpoints.get(endpointId) ?? { waiting: new Set(), running: 0, failing: false };
    this.#endpoints.set(endpointId, turns);
    return turns;
  }

  #fill(): void {
    while (this.#runs.size < this.#options.slots) {
      const endpointId = this.#nextInTurn();
      if (endpointId === undefined) return;
      this.#begin(endpointId, this.#turnsOf(endpointId));
    }
  }

  #nextInTurn(): string | undefined {
    for (const endpointId of this.#turn) if (this.#hasRoom(this.#turnsOf(endpointId))) return endpointId;
    return undefined;
  }

  #hasRoom({ running, failing }: Turns): boolean {
    const { slots, perEndpoint, perFailingEndpoint } = this.#options;
    return failing ? running < perFailingEndpoint && this.#failingRuns < slots / 2 : running < perEndpoint;
  }

  #begin(endpointId: string, turns: Turns): void {
    const [lane] = turns.waiting;
    this.#turn.delete(endpointId);
    if (lane === undefined) return;
    turns.waiting.delete(lane);
    // Behind the others.
    if (turns.waiting.size > 0) this.#turn.add(endpointId);
    void this.#run(lane, endpointId, turns);
  }

  async #run(lane: string, endpointId: string, turns: Turns): Promise<void> {
    const run: Run = { abort: new AbortController(), again: false };
    const asFailing = turns.failing;
    this.#runs.set(lane, run);
    turns.running += 1;
    if (asFailing) this.#failingRuns += 1;
    try {
      await this.#options.work(lane, run.abort.signal);
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#options.failed(lane, error);
    }
    this.#runs.delete(lane);
    turns.running -= 1;
    if (asFailing) this.#failingRuns -= 1;
    if (run.again && !run.abort.signal.aborted) this.add(lane);
    this.#fill();
    if (turns.running === 0 && turns.waiting.size === 0) this.#endpoints.delete(endpointId);
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

/** What was under way is left as it stands, to be begun again. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
}
