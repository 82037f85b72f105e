import {
  applyHealthToLane,
  isEmptyLane,
  isProbeDue,
  type Lane,
  laneDueAt,
  needsRefill,
  type PendingDelivery,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS, ownedKey } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import {
  type EndpointState,
  type EndpointStates,
  type Lanes,
  MAX_START_DELAY_MS,
  parseLaneKey,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { AttemptRecorder, RecordedAttempt } from "../delivering/attempt-recorder.ts";
import type { EndpointResolver, ResolvedEndpoint } from "../delivering/endpoint-resolver.ts";
import type { DeliverySender } from "../sending/delivery-sender.ts";
import type { TurnResult } from "./fair-lane-scheduler.ts";
import type { LaneLock } from "./lane-lock.ts";
import { nextEventLoopTick } from "./next-event-loop-tick.ts";
import { PerTickCache } from "./per-tick-cache.ts";
import type { SlowEndpointTracker } from "./slow-endpoint-tracker.ts";

/** Deliveries of one lane in a row, before others have their turn. */
const MAX_DELIVERIES_PER_TURN = 16;

export interface LaneWorkerOptions {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly models: ReadModels;
  readonly endpointResolver: EndpointResolver;
  readonly sender: DeliverySender;
  readonly slowEndpoints: Pick<SlowEndpointTracker, "track">;
  readonly recorder: AttemptRecorder;
  readonly lock: LaneLock;
  readonly clock: Clock;
  readonly reachedFaultPoint: (step: "webhook:sending" | "webhook:answered" | "webhook:recorded") => void;
  /** Names more of what a lane is owed, where it has only counted it. */
  readonly loadMoreDeliveries: (stored: StoredLane) => Promise<void>;
  /** Whether what the read models do not have is not there: false while they are being built anew. */
  readonly areModelsComplete: () => Promise<boolean>;
  /** Has a lane worked on after so many milliseconds of real time. */
  readonly wakeLater: (lane: string, delayMs: number) => void;
  /** An endpoint takes deliveries again. */
  readonly onRestarted: (endpointId: string) => void;
  /** How an endpoint was seen to take its deliveries. */
  readonly onFailingSeen: (endpointId: string, failing: boolean) => void;
}

interface EndpointStateReading {
  /** Real time: when it was asked for. */
  readonly readAt: number;
  readonly state: EndpointState;
}

interface DeliveryContext extends EndpointStateReading {
  readonly isProbe: boolean;
  readonly signal: AbortSignal;
}

/** What a look at a lane came to. */
interface StepResult {
  /** Whether there may be more to do at once. */
  readonly continues: boolean;
  /** The lane as it is then, where that is known. */
  readonly lane?: StoredLane;
}

const DONE: StepResult = { continues: false };
const CONTINUE: StepResult = { continues: true };

/** Works on one lane: sends what is due, in order, and records what became of it. */
export class LaneWorker {
  readonly #options: LaneWorkerOptions;
  readonly #probes = new Set<string>();
  readonly #states = new PerTickCache<EndpointStateReading>();
  readonly #endpoints = new PerTickCache<ResolvedEndpoint | undefined>();
  /** Looks at lanes that led to something. */
  completedSteps = 0;

  constructor(options: LaneWorkerOptions) {
    this.#options = options;
  }

  /** The lane's next turn is a probe of its endpoint, if one is due by then. */
  scheduleProbe(lane: string): void {
    this.#probes.add(lane);
  }

  /** @throws Abandoned the signal has aborted; what is owed stands as before. */
  async work(key: string, signal: AbortSignal): Promise<TurnResult> {
    let known: StoredLane | undefined;
    for (let count = 0; count < MAX_DELIVERIES_PER_TURN; count += 1) {
      signal.throwIfAborted();
      const stored = known ?? (await this.#options.lanes.get(key));
      if (stored === undefined) this.#probes.delete(key);
      const step = stored === undefined ? DONE : await this.#step(stored, signal);
      if (!step.continues) return "done";
      known = step.lane;
      this.completedSteps += 1;
    }
    return "again";
  }

  async #stateOf(endpointId: string): Promise<EndpointStateReading> {
    const known = await this.#states.get(endpointId, () => this.#readState(endpointId));
    // It may have been resumed in this very turn, and this lane woken for that.
    return known.state.health.status === "active" ? known : this.#readState(endpointId);
  }

  async #readState(endpointId: string): Promise<EndpointStateReading> {
    return { readAt: performance.now(), state: await this.#options.endpoints.get(endpointId) };
  }

  async #step(stored: StoredLane, signal: AbortSignal): Promise<StepResult> {
    const { lanes, clock } = this.#options;
    const { endpointId } = parseLaneKey(stored.key);
    const { readAt, state } = await this.#stateOf(endpointId);
    this.#options.onFailingSeen(endpointId, state.health.status !== "active");
    if (state.deletedAt !== null) return (await lanes.removeVersion(stored)) ? DONE : CONTINUE;
    const isProbe = this.#probes.delete(stored.key) && isProbeDue(state.health, clock.now());
    if (state.health.status === "paused" && !isProbe) return DONE;
    const lane = applyHealthToLane(stored.lane, state.health);
    if (needsRefill(lane)) {
      await this.#options.loadMoreDeliveries(stored);
      if (isProbe) this.#probes.add(stored.key);
      return CONTINUE;
    }
    const [delivery] = lane.owed;
    const dueAt = laneDueAt(lane);
    if (delivery === undefined || dueAt === undefined) return this.#clearExhausted(stored, lane);
    const wait = isProbe ? 0 : dueAt - clock.now();
    if (wait > 0) {
      this.#options.wakeLater(stored.key, wait);
      return DONE;
    }
    return this.#deliver(stored, delivery, { readAt, state, isProbe, signal });
  }

  /** What was exhausted in a failure that is over, and is not owed again, is not kept here any longer. */
  async #clearExhausted(stored: StoredLane, lane: Lane): Promise<StepResult> {
    if (isEmptyLane(lane) && !isEmptyLane(stored.lane))
      await this.#options.lanes.replace(stored, { ...stored.lane, ...lane });
    return DONE;
  }

  async #deliver(stored: StoredLane, delivery: PendingDelivery, begun: DeliveryContext): Promise<StepResult> {
    const { lock, lanes, wakeLater } = this.#options;
    const taken = await lock.acquire(stored);
    if (taken === undefined) {
      wakeLater(stored.key, lock.retryAfterMs);
      return DONE;
    }
    let recorded: RecordedAttempt | undefined;
    try {
      recorded = await this.#attempt(taken, delivery, begun);
    } finally {
      // Nobody has to wait for us where nothing was recorded.
      if (recorded === undefined && lock.holder !== null) await lanes.replace(taken, { ...taken.lane, holder: null });
    }
    if (recorded === undefined) return CONTINUE;
    this.completedSteps += 1;
    return this.#continueAfter(parseLaneKey(stored.key).endpointId, begun.state.health.status !== "active", recorded);
  }

  /** Undefined: the attempt was not to be made any more. */
  async #attempt(
    taken: StoredLane,
    delivery: PendingDelivery,
    begun: DeliveryContext,
  ): Promise<RecordedAttempt | undefined> {
    const {
      models,
      endpointResolver,
      sender,
      slowEndpoints,
      recorder,
      clock,
      lanes,
      areModelsComplete,
      reachedFaultPoint,
    } = this.#options;
    const { isProbe, signal } = begun;
    const { endpointId } = parseLaneKey(taken.key);
    const { accountId } = taken.lane;
    const receiver = await this.#endpoints.get(endpointId, () => endpointResolver.find(accountId, endpointId));
    const event = await models.body(EVENTS.event.model, ownedKey(accountId, delivery.eventId));
    if (receiver === undefined || event === undefined) {
      if (!(await areModelsComplete())) throw new Error("the read models are not complete");
      if (receiver !== undefined) throw new Error(`the event ${delivery.eventId} is not in the read models`);
      // Deleted: the mark is still to come, or has been forgotten long since.
      await lanes.removeVersion(taken);
      return undefined;
    }
    const deliveredAt = clock.now();
    const gate = async () => {
      reachedFaultPoint("webhook:sending");
      return this.#mayStart(endpointId, begun);
    };
    const made = { ...receiver, eventId: delivery.eventId, body: event.json };
    const attempt = await slowEndpoints.track(endpointId, () => sender.attempt(made, gate, signal));
    if (attempt === undefined) return undefined;
    await nextEventLoopTick();
    reachedFaultPoint("webhook:answered");
    const { health } = begun.state;
    const recorded = await recorder.record({ stored: taken, delivery, health, isProbe, deliveredAt, attempt });
    reachedFaultPoint("webhook:recorded");
    return recorded;
  }

  #continueAfter(endpointId: string, wasFailing: boolean, { lane, health }: RecordedAttempt): StepResult {
    const isFailing = health.status !== "active";
    this.#options.onFailingSeen(endpointId, isFailing);
    if (wasFailing && !isFailing) this.#options.onRestarted(endpointId);
    return lane === undefined ? DONE : { continues: true, lane };
  }

  /**
   * Nothing is sent after an endpoint was deleted, or paused. What was read is only good for a moment: whoever deletes
   * an endpoint answers when that moment is over for everybody.
   */
  async #mayStart(endpointId: string, { readAt, isProbe }: DeliveryContext): Promise<boolean> {
    for (let latest = readAt; performance.now() - latest > MAX_START_DELAY_MS; ) {
      const { readAt: asked, state } = await this.#readState(endpointId);
      if (state.deletedAt !== null || (state.health.status === "paused" && !isProbe)) return false;
      latest = asked;
    }
    return true;
  }
}
