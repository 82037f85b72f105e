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
import type { Clock } from "@travel-booking/runtime";
import {
  type EndpointState,
  type EndpointStates,
  type Lanes,
  MAX_START_DELAY_MS,
  parseLaneKey,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import { findEvent } from "../fan-out/subscribers.ts";
import type { AttemptRecorder, RecordedAttempt } from "../sending/attempt-recorder.ts";
import type { DeliverySender } from "../sending/delivery-sender.ts";
import type { EndpointResolver, ResolvedEndpoint } from "../sending/endpoint-resolver.ts";
import { nextEventLoopTick, PerTickCache } from "./event-loop.ts";
import type { LaneLock } from "./lane-lock.ts";
import type { TurnResult } from "./lane-scheduler.ts";
import type { SlowEndpointTracker } from "./slow-endpoint-tracker.ts";

/** Deliveries of one lane in a row before other lanes get their turn. */
const MAX_DELIVERIES_PER_TURN = 16;

interface LaneWorkerOptions {
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
  /** Lists more deliveries of a lane that has only counted them. */
  readonly loadMoreDeliveries: (stored: StoredLane) => Promise<void>;
  /** False while the read models are being rebuilt and may lack documents. */
  readonly areModelsComplete: () => Promise<boolean>;
  /** Wakes a lane after so many milliseconds of real time. */
  readonly wakeLater: (lane: string, delayMs: number) => void;
  /** Called when an endpoint has recovered. */
  readonly onRecovered: (endpointId: string) => void;
  /** Called with every observation whether an endpoint fails. */
  readonly onFailingSeen: (endpointId: string, failing: boolean) => void;
}

interface EndpointStateReading {
  /** Real time before the read. */
  readonly readAt: number;
  readonly state: EndpointState;
}

interface DeliveryContext extends EndpointStateReading {
  readonly isProbe: boolean;
  readonly signal: AbortSignal;
}

/** The result of one step on a lane. */
interface StepResult {
  /** Whether there may be more to do now. */
  readonly continues: boolean;
  /** The lane afterwards, if known. */
  readonly lane?: StoredLane;
}

const DONE: StepResult = { continues: false };
const CONTINUE: StepResult = { continues: true };

/** Works on one lane: makes the due deliveries in order and records their outcome. */
export class LaneWorker {
  readonly #options: LaneWorkerOptions;
  readonly #probes = new Set<string>();
  readonly #states = new PerTickCache<EndpointStateReading>();
  readonly #endpoints = new PerTickCache<ResolvedEndpoint | undefined>();
  /** Steps that changed something. */
  completedSteps = 0;

  constructor(options: LaneWorkerOptions) {
    this.#options = options;
  }

  /** Makes the next attempt of the lane a probe of its endpoint, if one is due by then. */
  scheduleProbe(lane: string): void {
    this.#probes.add(lane);
  }

  /** @throws Abandoned the signal has aborted; deliveries stay pending. */
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
    // It may have been resumed in this very tick, and this lane woken for that.
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

  /** Drops what was exhausted in a failure that is over and is not requeued. */
  async #clearExhausted(stored: StoredLane, lane: Lane): Promise<StepResult> {
    if (isEmptyLane(lane) && !isEmptyLane(stored.lane))
      await this.#options.lanes.replace(stored, { ...stored.lane, ...lane });
    return DONE;
  }

  async #deliver(stored: StoredLane, delivery: PendingDelivery, context: DeliveryContext): Promise<StepResult> {
    const { lock, lanes, wakeLater } = this.#options;
    const locked = await lock.acquire(stored);
    if (locked === undefined) {
      wakeLater(stored.key, lock.retryAfterMs);
      return DONE;
    }
    let recorded: RecordedAttempt | undefined;
    try {
      recorded = await this.#attempt(locked, delivery, context);
    } finally {
      // Recording releases the lane; otherwise release it here, so that nobody waits for this process.
      if (recorded === undefined && lock.holder !== null) await lanes.replace(locked, { ...locked.lane, holder: null });
    }
    if (recorded === undefined) return CONTINUE;
    this.completedSteps += 1;
    return this.#continueAfter(parseLaneKey(stored.key).endpointId, context.state.health.status !== "active", recorded);
  }

  /** Undefined if the attempt was not made. */
  async #attempt(
    locked: StoredLane,
    delivery: PendingDelivery,
    context: DeliveryContext,
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
    const { isProbe, signal } = context;
    const { endpointId } = parseLaneKey(locked.key);
    const { accountId } = locked.lane;
    const endpoint = await this.#endpoints.get(endpointId, () => endpointResolver.find(accountId, endpointId));
    const event = await findEvent(models, accountId, delivery);
    if (endpoint === undefined || event === undefined) {
      if (!(await areModelsComplete())) throw new Error("the read models are not complete");
      if (endpoint !== undefined) throw new Error(`the event ${delivery.eventId} is not in the read models`);
      // The endpoint is deleted; it is marked as such soon, or the mark has expired.
      await lanes.removeVersion(locked);
      return undefined;
    }
    const deliveredAt = clock.now();
    const mayStart = async () => {
      reachedFaultPoint("webhook:sending");
      return this.#mayStart(endpointId, context);
    };
    const request = { ...endpoint, ...event };
    const attempt = await slowEndpoints.track(endpointId, () => sender.attempt(request, mayStart, signal));
    if (attempt === undefined) return undefined;
    await nextEventLoopTick();
    reachedFaultPoint("webhook:answered");
    const { health } = context.state;
    const sent = { ...delivery, eventId: event.eventId };
    const recorded = await recorder.record({ stored: locked, delivery: sent, health, isProbe, deliveredAt, attempt });
    reachedFaultPoint("webhook:recorded");
    return recorded;
  }

  #continueAfter(endpointId: string, wasFailing: boolean, { lane, health }: RecordedAttempt): StepResult {
    const isFailing = health.status !== "active";
    this.#options.onFailingSeen(endpointId, isFailing);
    if (wasFailing && !isFailing) this.#options.onRecovered(endpointId);
    return lane === undefined ? DONE : { continues: true, lane };
  }

  /**
   * No attempt starts after an endpoint was deleted or paused. A read state may be used for `MAX_START_DELAY_MS`; a
   * DELETE is answered when that time has passed for every process.
   */
  async #mayStart(endpointId: string, { readAt, isProbe }: DeliveryContext): Promise<boolean> {
    for (let lastReadAt = readAt; performance.now() - lastReadAt > MAX_START_DELAY_MS; ) {
      const { readAt: at, state } = await this.#readState(endpointId);
      if (state.deletedAt !== null || (state.health.status === "paused" && !isProbe)) return false;
      lastReadAt = at;
    }
    return true;
  }
}
