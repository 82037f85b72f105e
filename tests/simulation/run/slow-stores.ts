import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  type RecordedEvent,
  type SubscribeOptions,
} from "@travel-booking/engines/event-store";
import { type PutOptions, type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import type { ChargeRequest, PaymentGateway, RefundRequest } from "@travel-booking/payment-gateway";
import type { Life } from "./life.ts";
import type { Outside } from "./outside.ts";

interface HandedIn {
  readonly run: () => Promise<AppendResult>;
  stored: Promise<AppendResult> | undefined;
}

/** The event log as one process sees it. */
export class SlowEventStore implements EventStore {
  readonly exclusive: boolean;
  readonly #outside: Outside;
  readonly #life: Life;
  /** Not stored yet, in the order they came. */
  readonly #handedIn: HandedIn[] = [];

  constructor(outside: Outside, life: Life, exclusive: boolean) {
    this.exclusive = exclusive;
    this.#outside = outside;
    this.#life = life;
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    const what = `append ${events.map((event) => event.type).join(", ")}`;
    const run = () => this.#outside.store.append(stream, expectedRevision, events);
    if (this.exclusive) return this.#life.call(what, this.#inOrder(run));
    return this.#life.call(what, async () => {
      const fault = this.#outside.appendFaults.shift();
      if (fault === "lost-before") throw new EventStoreUnavailable("lost", { outcomeUnknown: true });
      const result = await run();
      if (fault === "lost-after") throw new EventStoreUnavailable("lost", { outcomeUnknown: true });
      return result;
    });
  }

  /**
   * The log of a single writer stores in the order in which it was handed things, whoever is answered first; and it
   * loses no answer: a flush that fails is the end of the process.
   */
  #inOrder(run: () => Promise<AppendResult>): () => Promise<AppendResult> {
    const append: HandedIn = { run, stored: undefined };
    this.#handedIn.push(append);
    return () => {
      while (append.stored === undefined) {
        const next = this.#handedIn.shift() ?? append;
        next.stored = next.run();
        next.stored.catch(() => undefined);
      }
      return append.stored;
    };
  }

  readStream(stream: string, fromRevision?: number): Promise<readonly RecordedEvent[]> {
    return this.#life.call("read", () => this.#outside.store.readStream(stream, fromRevision));
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#outside.store.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.#outside.store.head();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The records of state as one process sees them; only what the service uses here takes a turn. */
export function slowStates({ states, recordFaults }: Outside, life: Life, cutOffUntil: () => number): StateStore {
  const call = <Answer>(label: string, effect: () => Promise<Answer>) =>
    life.call(label, async () => {
      await life.waitUntil(cutOffUntil, label);
      const fault = recordFaults.shift();
      if (fault === "lost-before") throw new StateStoreUnavailable("lost");
      const answer = await effect();
      if (fault === "lost-after") throw new StateStoreUnavailable("lost");
      return answer;
    });
  return {
    get: (space, key) => call("get record", () => states.get(space, key)),
    create: <Value>(space: string, key: string, value: Value, options?: PutOptions) =>
      call("create record", () => states.create(space, key, value, options)),
    add: (space, key, value, options) => call("add record", () => states.add(space, key, value, options)),
    put: (space, key, value, options) => call("put record", () => states.put(space, key, value, options)),
    replace: <Value>(space: string, key: string, version: number, value: Value, options?: PutOptions) =>
      call("replace record", () => states.replace(space, key, version, value, options)),
    remove: (space, key) => call("remove record", () => states.remove(space, key)),
    removeVersion: (space, key, version) => call("remove record", () => states.removeVersion(space, key, version)),
    list: (space, options) => states.list(space, options),
    removeExpired: (now, limit) => states.removeExpired(now, limit),
    close: () => Promise.resolve(),
  };
}

/** The payment gateway as one process sees it. */
export function slowGateway({ gateway }: Outside, life: Life): PaymentGateway {
  return {
    describe: (token, as) => gateway.describe(token, as),
    charge: (request: ChargeRequest) => life.call("charge", () => gateway.charge(request)),
    outcome: (paymentId) => life.call("ask outcome", () => gateway.outcome(paymentId)),
    close: (paymentId) => life.call("close charge", () => gateway.close(paymentId)),
    refund: (request: RefundRequest) => life.call("refund", () => gateway.refund(request)),
  };
}
