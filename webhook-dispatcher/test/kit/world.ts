import { randomBytes } from "node:crypto";
import { type PublicEventType, USUAL_EVENT_TYPES } from "@travel-booking/domain";
import { InMemoryJobQueue } from "@travel-booking/engines/job-queue/memory";
import type { StateStore } from "@travel-booking/engines/state-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { EndpointFixture } from "@travel-booking/read-models/testing";
import { ManualClock, silentLogger } from "@travel-booking/runtime";
import { type DeliveryAttempt, EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { Dispatcher, type DispatcherOptions } from "../../src/index.ts";
import { FixtureReadModels } from "./read-models.ts";

export const T0 = Date.parse("2026-11-21T12:00:00.000Z");
export const ACCOUNT = "acc_1";
export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly secret: string;
}

/** What is recorded besides deliveries. */
export interface RecordedMetrics {
  readonly outcomes: string[];
  readonly pauses: string[];
}

/** A dispatcher with stores that outlive it, a clock that only tests advance, and hand-made read models. */
export class World {
  readonly clock = new ManualClock(T0);
  readonly state: StateStore;
  readonly models: FixtureReadModels;
  readonly secrets: WebhookSecrets;
  readonly words: SealedWords;
  readonly recordedMetrics: RecordedMetrics = { outcomes: [], pauses: [] };
  queue = new InMemoryJobQueue();
  dispatcher: Dispatcher;
  log: EndpointDeliveries;
  readonly #overrides: Partial<DispatcherOptions>;
  readonly #waiting = new Set<() => void>();
  #endpoints = 0;
  /** Positions of projections that stand still. */
  readonly #held = new Map<string, bigint>();

  private constructor(
    models: FixtureReadModels,
    words: SealedWords,
    state: StateStore,
    overrides: Partial<DispatcherOptions>,
  ) {
    this.models = models;
    this.state = state;
    this.#overrides = overrides;
    this.secrets = new WebhookSecrets(this.state, "a secret key of at least 32 characters");
    this.words = words;
    this.dispatcher = this.newDispatcher();
    this.log = this.#newLog();
  }

  static async open(overrides: Partial<DispatcherOptions> & { readonly state?: StateStore } = {}): Promise<World> {
    const { state = new InMemoryStateStore() } = overrides;
    const words = new SealedWords({ state, secretKey: "secret", shared: false });
    return new World(await FixtureReadModels.open(words), words, state, overrides);
  }

  newDispatcher(overrides: Partial<DispatcherOptions> = {}): Dispatcher {
    return new Dispatcher({
      state: this.state,
      models: this.models.opened,
      progress: this.#progress,
      queue: this.queue,
      clock: this.clock,
      secrets: this.secrets,
      words: this.words,
      targets: { allowPrivate: true, ports: [] },
      random: () => 0.5,
      logger: silentLogger,
      deliveryMetrics: {
        recordAttempt: (outcome) => void this.recordedMetrics.outcomes.push(outcome),
        recordPause: (why) => void this.recordedMetrics.pauses.push(why),
      },
      ...this.#overrides,
      ...overrides,
    });
  }

  /** Abandons the dispatcher as a crash would, and starts another on the same stores. */
  async restart(): Promise<void> {
    await this.dispatcher.stop();
    await this.queue.close();
    this.queue = new InMemoryJobQueue();
    this.dispatcher = this.newDispatcher();
    this.log = this.#newLog();
    this.dispatcher.start();
  }

  async close(): Promise<void> {
    await this.dispatcher.stop();
    await this.queue.close();
    await this.models.close();
  }

  async endpoint(
    url: string,
    options: { events?: readonly PublicEventType[]; accountId?: string } = {},
  ): Promise<Endpoint> {
    const { events = USUAL_EVENT_TYPES, accountId = ACCOUNT } = options;
    this.#endpoints += 1;
    const id = `whe_${this.#endpoints}`;
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    await this.secrets.put(id, secret);
    await this.models.endpoint({ accountId, endpointId: id, url, events });
    this.#advanceProgress();
    return { id, accountId, secret };
  }

  /** Suspends or resumes an account as the command-service does. */
  async account(status: "active" | "suspended", accountId = ACCOUNT): Promise<void> {
    await this.models.account(accountId, status);
    this.#advanceProgress();
  }

  /** Changes an endpoint as the projection would. */
  async change({ id, accountId }: Endpoint, changes: Partial<EndpointFixture>): Promise<void> {
    await this.models.changeEndpoint(accountId, id, changes);
    this.#advanceProgress();
  }

  /** Deletes an endpoint as the command-service does. */
  async deleteEndpoint({ id, accountId }: Endpoint): Promise<void> {
    await this.models.removeEndpoint(accountId, id);
    this.#advanceProgress();
    await this.log.stop(id, this.clock.now());
  }

  async event(bookingId: string, type: PublicEventType = "booking.changed", accountId = ACCOUNT): Promise<string> {
    const id = await this.models.event({ accountId, bookingId, type, at: this.clock.now() });
    this.#advanceProgress();
    return id;
  }

  async holdExpired(holdId: string, accountId = ACCOUNT): Promise<string> {
    const id = await this.models.holdExpired({ accountId, holdId, at: this.clock.now() });
    this.#advanceProgress();
    return id;
  }

  /** As if the command-service had recorded that the endpoint fails. */
  async endpointFailing({ id: endpointId, accountId }: Endpoint): Promise<string> {
    const id = await this.models.endpointFailing({ accountId, endpointId, at: this.clock.now() });
    this.#advanceProgress();
    return id;
  }

  /** An event of a booking whose words are sealed, under a key with the id of the account. */
  async sealedEvent(bookingId: string): Promise<void> {
    await this.words.keys.findOrCreate(ACCOUNT, ACCOUNT, true);
    const event = { accountId: ACCOUNT, bookingId, type: "booking.changed", at: this.clock.now() } as const;
    await this.models.event({ ...event, keyId: ACCOUNT });
    this.#advanceProgress();
  }

  /** These projections stand still until `releaseAll`. */
  hold(...projections: readonly string[]): void {
    for (const name of projections) this.#held.set(name, this.models.position);
  }

  releaseAll(): void {
    this.#held.clear();
    this.#advanceProgress();
  }

  /** Resolves when everything due now has been attempted. */
  drained(): Promise<void> {
    return this.dispatcher.drained();
  }

  /** Advances the clock as an operator does: from due time to due time. */
  async advance(milliseconds: number): Promise<void> {
    const movedSince = this.clock.now();
    const target = movedSince + milliseconds;
    for (;;) {
      await this.drained();
      const next = await this.dispatcher.nextDueAt(this.clock.now(), movedSince);
      if (next === undefined || next > target) break;
      this.clock.set(next);
    }
    this.clock.set(target);
    await this.drained();
  }

  /** The attempts of an endpoint, oldest first. */
  async attempts({ id }: Endpoint): Promise<readonly DeliveryAttempt[]> {
    const entries = await this.log.attempts.page(id, { limit: 10_000 });
    return entries.map(({ attempt }) => attempt).reverse();
  }

  status({ id }: Endpoint) {
    return this.log.status(id, this.clock.now());
  }

  #newLog(): EndpointDeliveries {
    return new EndpointDeliveries({ store: this.state, wake: (lane) => this.queue.schedule(lane) });
  }

  #advanceProgress(): void {
    for (const look of this.#waiting) look();
  }

  readonly #progress: ProjectionProgress = {
    positionOf: (projection) => this.#held.get(projection) ?? this.models.position,
    waitUntil: (projection, position, timeoutMs) =>
      new Promise((resolve) => {
        const end = (reached: boolean) => {
          clearTimeout(timer);
          this.#waiting.delete(look);
          resolve(reached);
        };
        const look = () => {
          if (this.#progress.positionOf(projection) >= position) end(true);
        };
        const timer = setTimeout(() => end(false), timeoutMs).unref();
        this.#waiting.add(look);
        look();
      }),
  };
}
