import { laneName } from "@travel-booking/webhooks/deliveries";
import { type BurstOptions, JustBegun } from "./just-begun.ts";
import { type Share, Shares, type SharesOptions } from "./shares.ts";

/** Why a lane's turn ends: there is nothing more to do now, or its time was up. */
export type TurnEnd = "done" | "again";

export interface FairLanesOptions extends SharesOptions {
  /** Works on a lane; the signal aborts where what is under way is to be abandoned. */
  readonly work: (lane: string, signal: AbortSignal) => Promise<TurnEnd>;
  /** A lane could not be worked on. */
  readonly failed: (lane: string, error: unknown) => void;
  /** Whether an endpoint is known to be slow; nobody is unless told. */
  readonly isSlow?: (endpointId: string) => boolean;
  /** What may be begun within a moment. */
  readonly burst?: BurstOptions;
}

/** What is seen of an endpoint: that it does not take its deliveries, that it is slow. */
export interface Marks {
  readonly failing: boolean;
  readonly slow: boolean;
}

/** The lanes of one endpoint. */
interface Turns {
  readonly waiting: Set<string>;
  marks: Marks;
  share: Share;
}

interface Run {
  readonly abort: AbortController;
  again: boolean;
}

/**
 * Works on many lanes at once, in turn over the endpoints, each within its share: one that has a thousand lanes, or
 * answers slowly, does not hold up another.
 */
export class FairLanes {
  readonly #options: FairLanesOptions;
  readonly #endpoints = new Map<string, Turns>();
  /** Those with lanes waiting; the next in turn is the first. */
  readonly #turn = new Set<string>();
  readonly #runs = new Map<string, Run>();
  readonly #idle = new Set<() => void>();
  readonly #shares: Shares;
  readonly #justBegun: JustBegun;
  #stopped = false;

  constructor(options: FairLanesOptions) {
    this.#options = options;
    this.#shares = new Shares(options);
    this.#justBegun = new JustBegun({ ...options.burst, room: () => this.#fill() });
  }

  /**
   * Has a lane of an account worked on; once, however often this is asked for before; once more where it is being
   * worked on.
   */
  add(lane: string, accountId: string): void {
    if (this.#stopped) return;
    const run = this.#runs.get(lane);
    if (run !== undefined) {
      run.again = true;
      return;
    }
    const { endpointId } = laneName(lane);
    this.#turnsOf(endpointId, accountId).waiting.add(lane);
    this.#turn.add(endpointId);
    this.#fill();
  }

  /** Tells what was seen of an endpoint; forgotten when nothing of it waits any more. */
  mark(endpointId: string, seen: Partial<Marks>): void {
    const turns = this.#endpoints.get(endpointId);
    if (turns === undefined) return;
    turns.marks = { ...turns.marks, ...seen };
    turns.share = this.#shares.mark(turns.share, turns.marks.failing || turns.marks.slow);
  }

  /** Abandons what is under way to an endpoint, and what waits. */
  abandon(endpointId: string): void {
    const turns = this.#endpoints.get(endpointId);
    turns?.waiting.clear();
    if (turns?.share.running === 0) this.#endpoints.delete(endpointId);
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

  #turnsOf(endpointId: string, accountId: string): Turns {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const slow = this.#options.isSlow?.(endpointId) ?? false;
    const share = this.#shares.open(accountId, slow);
    const turns = { waiting: new Set<string>(), marks: { failing: false, slow }, share };
    this.#endpoints.set(endpointId, turns);
    return turns;
  }

  #fill(): void {
    while (this.#turn.size > 0 && !this.#shares.isFull && this.#justBegun.mayBegin()) {
      const next = this.#nextInTurn();
      if (next === undefined) return;
      this.#begin(...next);
    }
  }

  #nextInTurn(): [endpointId: string, turns: Turns] | undefined {
    for (const endpointId of this.#turn) {
      const turns = this.#endpoints.get(endpointId);
      if (turns !== undefined && this.#shares.mayBegin(turns.share)) return [endpointId, turns];
    }
    return undefined;
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
    this.#runs.set(lane, run);
    turns.share = this.#shares.begin(turns.share);
    const beginning = this.#justBegun.begin();
    try {
      if ((await this.#options.work(lane, run.abort.signal)) === "again") run.again = true;
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#options.failed(lane, error);
    }
    this.#runs.delete(lane);
    this.#justBegun.end(beginning);
    turns.share = this.#shares.end(turns.share);
    if (run.again && !run.abort.signal.aborted) this.add(lane, turns.share.accountId);
    this.#fill();
    if (turns.share.running === 0 && turns.waiting.size === 0) this.#endpoints.delete(endpointId);
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
