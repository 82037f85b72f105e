import {
  isProbeDue,
  isSpent,
  type Lane,
  laneDueAt,
  laneUnder,
  needsNames,
  type OwedDelivery,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS, ownedKey } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import {
  type EndpointState,
  type EndpointStates,
  type Lanes,
  laneName,
  START_WITHIN_MS,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { Receiver, Receivers } from "../delivering/receivers.ts";
import type { Recorded, Recorder } from "../delivering/recorder.ts";
import type { Attempts } from "../sending/attempt.ts";
import { endOfTurn } from "./end-of-turn.ts";
import type { TurnEnd } from "./fair-lanes.ts";
import type { LaneGuard } from "./lane-guard.ts";
import { OncePerTurn } from "./once-per-turn.ts";
import type { Paces } from "./paces.ts";

/** Deliveries of one lane in a row, before others have their turn. */
const MOST_IN_A_ROW = 16;

export interface LaneWorkerOptions {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly models: ReadModels;
  readonly receivers: Receivers;
  readonly attempts: Attempts;
  readonly paces: Pick<Paces, "during">;
  readonly recorder: Recorder;
  readonly guard: LaneGuard;
  readonly clock: Clock;
  readonly reached: (step: "webhook:sending" | "webhook:answered" | "webhook:recorded") => void;
  /** Names more of what a lane is owed, where it has only counted it. */
  readonly nameMore: (stored: StoredLane) => Promise<void>;
  /** Whether what the read models do not have is not there: false while they are being built anew. */
  readonly isWhole: () => Promise<boolean>;
  /** Has a lane worked on after so many milliseconds of real time. */
  readonly wakeLater: (lane: string, delayMs: number) => void;
  /** An endpoint takes deliveries again. */
  readonly restarted: (endpointId: string) => void;
  /** How an endpoint was seen to take its deliveries. */
  readonly seen: (endpointId: string, failing: boolean) => void;
}

interface AskedState {
  /** Real time: when it was asked for. */
  readonly asked: number;
  readonly state: EndpointState;
}

interface Begun extends AskedState {
  readonly isProbe: boolean;
  readonly signal: AbortSignal;
}

/** What a look at a lane came to. */
interface Step {
  /** Whether there may be more to do at once. */
  readonly goesOn: boolean;
  /** The lane as it is then, where that is known. */
  readonly lane?: StoredLane;
}

const NOTHING_LEFT: Step = { goesOn: false };
const LOOK_AGAIN: Step = { goesOn: true };

/** Works on one lane: sends what is due, in order, and records what became of it. */
export class LaneWorker {
  readonly #options: LaneWorkerOptions;
  readonly #probes = new Set<string>();
  readonly #states = new OncePerTurn<AskedState>();
  readonly #receivers = new OncePerTurn<Receiver | undefined>();
  /** Looks at lanes that led to something. */
  steps = 0;

  constructor(options: LaneWorkerOptions) {
    this.#options = options;
  }

  /** The lane's next turn is a probe of its endpoint, if one is due by then. */
  probeWith(lane: string): void {
    this.#probes.add(lane);
  }

  /** @throws Abandoned the signal has aborted; what is owed stands as before. */
  async work(key: string, signal: AbortSignal): Promise<TurnEnd> {
    let known: StoredLane | undefined;
    for (let count = 0; count < MOST_IN_A_ROW; count += 1) {
      signal.throwIfAborted();
      const stored = known ?? (await this.#options.lanes.get(key));
      if (stored === undefined) this.#probes.delete(key);
      const step = stored === undefined ? NOTHING_LEFT : await this.#step(stored, signal);
      if (!step.goesOn) return "done";
      known = step.lane;
      this.steps += 1;
    }
    return "again";
  }

  async #stateOf(endpointId: string): Promise<AskedState> {
    const known = await this.#states.get(endpointId, () => this.#askFor(endpointId));
    // It may have been resumed in this very turn, and this lane woken for that.
    return known.state.health.status === "active" ? known : this.#askFor(endpointId);
  }

  async #askFor(endpointId: string): Promise<AskedState> {
    return { asked: performance.now(), state: await this.#options.endpoints.get(endpointId) };
  }

  async #step(stored: StoredLane, signal: AbortSignal): Promise<Step> {
    const { lanes, clock } = this.#options;
    const { endpointId } = laneName(stored.key);
    const { asked, state } = await this.#stateOf(endpointId);
    this.#options.seen(endpointId, state.health.status !== "active");
    if (state.deletedAt !== null) return (await lanes.removeVersion(stored)) ? NOTHING_LEFT : LOOK_AGAIN;
    const isProbe = this.#probes.delete(stored.key) && isProbeDue(state.health, clock.now());
    if (state.health.status === "paused" && !isProbe) return NOTHING_LEFT;
    const lane = laneUnder(stored.lane, state.health);
    if (needsNames(lane)) {
      await this.#options.nameMore(stored);
      if (isProbe) this.#probes.add(stored.key);
      return LOOK_AGAIN;
    }
    const [delivery] = lane.owed;
    const dueAt = laneDueAt(lane);
    if (delivery === undefined || dueAt === undefined) return this.#tidy(stored, lane);
    const wait = isProbe ? 0 : dueAt - clock.now();
    if (wait > 0) {
      this.#options.wakeLater(stored.key, wait);
      return NOTHING_LEFT;
    }
    return this.#deliver(stored, delivery, { asked, state, isProbe, signal });
  }

  /** What was exhausted in a failure that is over, and is not owed again, is not kept here any longer. */
  async #tidy(stored: StoredLane, lane: Lane): Promise<Step> {
    if (isSpent(lane) && !isSpent(stored.lane)) await this.#options.lanes.replace(stored, { ...stored.lane, ...lane });
    return NOTHING_LEFT;
  }

  async #deliver(stored: StoredLane, delivery: OwedDelivery, begun: Begun): Promise<Step> {
    const { guard, lanes, wakeLater } = this.#options;
    const taken = await guard.take(stored);
    if (taken === undefined) {
      wakeLater(stored.key, guard.lookAgainMs);
      return NOTHING_LEFT;
    }
    let recorded: Recorded | undefined;
    try {
      recorded = await this.#attempt(taken, delivery, begun);
    } finally {
      // Nobody has to wait for us where nothing was recorded.
      if (recorded === undefined && guard.holder !== null) await lanes.replace(taken, { ...taken.lane, holder: null });
    }
    if (recorded === undefined) return LOOK_AGAIN;
    this.steps += 1;
    return this.#goOn(laneName(stored.key).endpointId, begun.state.health.status !== "active", recorded);
  }

  /** Undefined: the attempt was not to be made any more. */
  async #attempt(taken: StoredLane, delivery: OwedDelivery, begun: Begun): Promise<Recorded | undefined> {
    const { models, receivers, attempts, paces, recorder, clock, lanes, isWhole, reached } = this.#options;
    const { isProbe, signal } = begun;
    const { endpointId } = laneName(taken.key);
    const { accountId } = taken.lane;
    const receiver = await this.#receivers.get(endpointId, () => receivers.find(accountId, endpointId));
    const event = await models.body(EVENTS.event.model, ownedKey(accountId, delivery.eventId));
    if (receiver === undefined || event === undefined) {
      if (!(await isWhole())) throw new Error("the read models are not complete");
      if (receiver !== undefined) throw new Error(`the event ${delivery.eventId} is not in the read models`);
      // Deleted: the mark is still to come, or has been forgotten long since.
      await lanes.removeVersion(taken);
      return undefined;
    }
    const deliveredAt = clock.now();
    const gate = async () => {
      reached("webhook:sending");
      return this.#mayStart(endpointId, begun);
    };
    const made = { ...receiver, eventId: delivery.eventId, body: event.json };
    const attempt = await paces.during(endpointId, () => attempts.make(made, gate, signal));
    if (attempt === undefined) return undefined;
    await endOfTurn();
    reached("webhook:answered");
    const { health } = begun.state;
    const recorded = await recorder.record({ stored: taken, delivery, health, isProbe, deliveredAt, attempt });
    reached("webhook:recorded");
    return recorded;
  }

  #goOn(endpointId: string, wasFailing: boolean, { lane, health }: Recorded): Step {
    const isFailing = health.status !== "active";
    this.#options.seen(endpointId, isFailing);
    if (wasFailing && !isFailing) this.#options.restarted(endpointId);
    return lane === undefined ? NOTHING_LEFT : { goesOn: true, lane };
  }

  /**
   * Nothing is sent after an endpoint was deleted, or paused. What was read is only good for a moment: whoever deletes
   * an endpoint answers when that moment is over for everybody.
   */
  async #mayStart(endpointId: string, { asked, isProbe }: Begun): Promise<boolean> {
    for (let latest = asked; performance.now() - latest > START_WITHIN_MS; ) {
      const { asked, state } = await this.#askFor(endpointId);
      if (state.deletedAt !== null || (state.health.status === "paused" && !isProbe)) return false;
      latest = asked;
    }
    return true;
  }
}
