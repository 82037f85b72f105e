import {
  applyHealthToLane,
  type EndpointHealth,
  isEmptyLane,
  isProbeDue,
  kindOfLane,
  type Lane,
  laneDueAt,
  needsRefill,
  type PendingDelivery,
} from "@travel-booking/domain";
import { type EventFeed, feedOf } from "@travel-booking/read-models";
import {
  type EndpointState,
  MAX_START_DELAY_MS,
  parseLaneKey,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { DispatcherContext } from "../dispatcher-options.ts";
import { loadMoreDeliveries } from "../fan-out/load-more-deliveries.ts";
import type { Attempt, AttemptRecorder } from "../sending/attempt-recorder.ts";
import type { AttemptResult, DeliverySender } from "../sending/delivery-sender.ts";
import type { EndpointResolver, ResolvedEndpoint } from "../sending/endpoint-resolver.ts";
import type { Outcome } from "../sending/outcome.ts";
import { nextEventLoopTick, PerTickCache } from "./event-loop.ts";
import { LOCK_TIMEOUT_MS } from "./lane-lock.ts";
import { PaceReached, type TurnResult } from "./lane-scheduler.ts";
import type { Paces } from "./paces.ts";
import { SentEvents } from "./sent-events.ts";
import type { SlowEndpointTracker } from "./slow-endpoint-tracker.ts";

/** Deliveries of one lane in a row before other lanes get their turn. */
const MAX_DELIVERIES_PER_TURN = 16;

interface LaneWorkerOptions
  extends Pick<DispatcherContext, "stored" | "models" | "words" | "lock" | "clock" | "isActive" | "reachedFaultPoint"> {
  readonly endpointResolver: EndpointResolver;
  readonly sender: DeliverySender;
  readonly slowEndpoints: Pick<SlowEndpointTracker, "track">;
  readonly recorder: AttemptRecorder;
  readonly paces: Pick<Paces, "take">;
  /** False while the read models are being rebuilt and may lack documents of a feed. */
  readonly areModelsComplete: (feed: EventFeed) => Promise<boolean>;
  /** Wakes a lane after so many milliseconds of real time. */
  readonly wakeLater: (lane: string, delayMs: number) => void;
  /** Called when an endpoint has recovered. */
  readonly onRecovered: (endpointId: string) => void;
  /** Called with every observation whether an endpoint fails. */
  readonly onFailingSeen: (endpointId: string, failing: boolean) => void;
}

/** Works on one lane: makes the due deliveries in order and records their outcome. */
export class LaneWorker {
  readonly #options: LaneWorkerOptions;
  readonly #probes = new Set<string>();
  readonly #states = new PerTickCache<EndpointState>();
  readonly #endpoints = new PerTickCache<ResolvedEndpoint | undefined>();
  readonly #events: SentEvents;
  /** Steps that changed something. */
  completedSteps = 0;

  constructor(options: LaneWorkerOptions) {
    this.#options = options;
    this.#events = new SentEvents(options);
  }

  /** Makes the next attempt of the lane a probe of its endpoint, if one is due by then. */
  scheduleProbe(lane: string): void {
    this.#probes.add(lane);
  }

  /**
   * @throws Abandoned the signal has aborted; deliveries stay pending.
   * @throws PaceReached the endpoint gets no attempt now.
   */
  async work(key: string, signal: AbortSignal): Promise<TurnResult> {
    for (let count = 0; count < MAX_DELIVERIES_PER_TURN; count += 1) {
      signal.throwIfAborted();
      // Each phase returns before the next one starts. So thousands of attempts that wait for receivers hold little
      // memory, which the garbage collector would have to copy.
      const next = await this.#prepare(key);
      if (next === "done") return "done";
      if (next !== "again") await this.#deliver(next, signal);
      this.completedSteps += 1;
    }
    return "again";
  }

  async #stateOf(endpointId: string): Promise<EndpointState> {
    const { endpoints } = this.#options.stored;
    const known = await this.#states.get(endpointId, () => endpoints.get(endpointId));
    // It may have been resumed in this very tick, and this lane woken for that.
    return known.health.status === "active" ? known : endpoints.get(endpointId);
  }

  /** What to do next on a lane: an attempt, unless something else had to be done first. */
  async #prepare(key: string): Promise<Attempt | TurnResult> {
    const { models, lock, clock, isActive, wakeLater } = this.#options;
    const { lanes } = this.#options.stored;
    const stored = await lanes.get(key);
    if (stored === undefined) {
      this.#probes.delete(key);
      return "done";
    }
    const { endpointId } = parseLaneKey(key);
    const state = await this.#stateOf(endpointId);
    this.#options.onFailingSeen(endpointId, state.health.status !== "active");
    if (state.deletedAt !== null) return (await lanes.removeVersion(stored)) ? "done" : "again";
    const isProbe = this.#probes.delete(key) && isProbeDue(state.health, clock.now());
    if (state.health.status === "paused" && !isProbe) return "done";
    // The sweep wakes the lane once the account is active again.
    if (!(await isActive(stored.lane.accountId))) return "done";
    const lane = applyHealthToLane(stored.lane, state.health);
    if (needsRefill(lane)) {
      await loadMoreDeliveries(models, this.#options.stored, stored);
      if (isProbe) this.#probes.add(key);
      return "again";
    }
    const [delivery] = lane.owed;
    const dueAt = laneDueAt(lane);
    if (delivery === undefined || dueAt === undefined) return this.#clearExhausted(stored, lane);
    const wait = isProbe ? 0 : dueAt - clock.now();
    if (wait > 0) {
      wakeLater(key, wait);
      return "done";
    }
    const locked = await lock.acquire(stored);
    if (locked !== undefined) return { locked, delivery, state, isProbe };
    wakeLater(key, LOCK_TIMEOUT_MS);
    return "done";
  }

  /** Drops what was exhausted in a failure that is over and is not requeued. */
  async #clearExhausted(stored: StoredLane, lane: Lane): Promise<TurnResult> {
    if (isEmptyLane(lane) && !isEmptyLane(stored.lane))
      await this.#options.stored.lanes.replace(stored, { ...stored.lane, ...lane });
    return "done";
  }

  async #deliver(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { lock, stored, recorder, clock, reachedFaultPoint } = this.#options;
    const { locked } = attempt;
    let health: EndpointHealth | undefined;
    try {
      const deliveredAt = clock.now();
      const made = await this.#attempt(attempt, signal);
      if (made === undefined) return;
      await nextEventLoopTick();
      reachedFaultPoint("webhook:answered");
      health = await recorder.record({ ...attempt, ...made, deliveredAt });
      reachedFaultPoint("webhook:recorded");
    } finally {
      // Recording releases the lane; otherwise release it here, so that nobody waits for this process.
      if (health === undefined && lock.holder !== null)
        await stored.lanes.replace(locked, { ...locked.lane, holder: null });
    }
    const { endpointId } = parseLaneKey(locked.key);
    const isFailing = health.status !== "active";
    this.#options.onFailingSeen(endpointId, isFailing);
    if (attempt.state.health.status !== "active" && !isFailing) this.#options.onRecovered(endpointId);
  }

  /** Undefined if the attempt was not made. */
  async #attempt(
    { locked, delivery, isProbe }: Attempt,
    signal: AbortSignal,
  ): Promise<{ readonly delivery: PendingDelivery; readonly result: AttemptResult } | undefined> {
    const { endpointResolver, sender, slowEndpoints, areModelsComplete, reachedFaultPoint } = this.#options;
    const { endpointId, about } = parseLaneKey(locked.key);
    const { accountId } = locked.lane;
    const kind = kindOfLane(locked.lane);
    const { eventId: formerId, sort } = delivery;
    const endpoint = await this.#endpoints.get(endpointId, () => endpointResolver.find(accountId, endpointId));
    if (endpoint?.maxPerSecond !== undefined) await this.#keepPace(locked.key, endpoint.maxPerSecond, isProbe);
    const event = await this.#events.find({ accountId, kind, about, eventId: formerId, sort });
    if (endpoint === undefined || event === undefined) {
      if (!(await areModelsComplete(feedOf(kind)))) throw new Error("the read models are not complete");
      if (endpoint !== undefined) throw new Error(`the event ${formerId} is not in the read models`);
      // The endpoint is deleted; it is marked as such soon, or the mark has expired.
      await this.#options.stored.lanes.removeVersion(locked);
      return undefined;
    }
    const mayStart = () => {
      reachedFaultPoint("webhook:sending");
      return this.#mayStart(accountId, endpointId, isProbe);
    };
    // A delivery from before a change of all ids names the former one.
    const { eventId, body, keyId } = event;
    const request = { ...endpoint, eventId, body };
    const result = await slowEndpoints.track(endpointId, () => sender.attempt(request, mayStart, signal));
    if (result === undefined) return undefined;
    const outcome = await this.#withExcerptSealed(result.outcome, endpoint, keyId);
    return { delivery: { ...delivery, eventId }, result: { ...result, outcome } };
  }

  /** @throws PaceReached */
  async #keepPace(key: string, maxPerSecond: number, isProbe: boolean): Promise<void> {
    const waitMs = await this.#options.paces.take(parseLaneKey(key).endpointId, maxPerSecond);
    if (waitMs === 0) return;
    if (isProbe) this.#probes.add(key);
    throw new PaceReached(waitMs);
  }

  /**
   * A receiver may repeat what it was sent, its own headers too. What it says is dropped where the booking has no key, or
   * has it no longer.
   */
  async #withExcerptSealed(outcome: Outcome, endpoint: ResolvedEndpoint, keyId: string | undefined): Promise<Outcome> {
    if (outcome.ok || !outcome.excerpt) return outcome;
    const excerpt = await this.#options.words.sealText(withoutSecrets(outcome.excerpt, endpoint), keyId);
    return { ...outcome, excerpt: excerpt ?? null };
  }

  /**
   * No attempt starts after an endpoint was deleted or paused, or its account suspended: this is read last, and counts
   * for `MAX_START_DELAY_MS`. A DELETE or a suspension is answered when that time has passed for every process.
   */
  async #mayStart(accountId: string, endpointId: string, isProbe: boolean): Promise<boolean> {
    for (;;) {
      const readAt = performance.now();
      const { deletedAt, health } = await this.#options.stored.endpoints.get(endpointId);
      if (deletedAt !== null || (health.status === "paused" && !isProbe)) return false;
      if (!(await this.#options.isActive(accountId))) return false;
      if (performance.now() - readAt <= MAX_START_DELAY_MS) return true;
    }
  }
}

/** Shorter ones are left, because they stand in any text. */
const SHORTEST_SECRET = 4;
const REDACTED = "[redacted]";

/** The text without the values of the endpoint's headers and its secrets, also where the text ends within one. */
function withoutSecrets(
  text: string,
  { headers, secrets = [""] }: Pick<ResolvedEndpoint, "headers" | "secrets">,
): string {
  const values = [...Object.values(headers), ...secrets].filter(({ length }) => length >= SHORTEST_SECRET);
  // One may contain another.
  values.sort((one, other) => other.length - one.length);
  const cut = Math.max(0, ...values.map((value) => lengthAtEnd(text, value)));
  const begin = cut < SHORTEST_SECRET ? text : text.slice(0, -cut) + REDACTED;
  return values.reduce((left, value) => left.replaceAll(value, REDACTED), begin);
}

/** How much of the value's beginning the text ends with. */
function lengthAtEnd(text: string, value: string): number {
  for (let length = Math.min(value.length, text.length); length > 0; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}
