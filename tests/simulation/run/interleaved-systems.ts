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
import type { ExternalSystems } from "./external-systems.ts";
import type { ProcessLifetime } from "./process-lifetime.ts";

interface PendingAppend {
  readonly stream: string;
  readonly events: number;
  readonly run: () => Promise<AppendResult>;
  stored: Promise<AppendResult> | undefined;
}

/** The event log as one process sees it. */
export class InterleavedEventStore implements EventStore {
  readonly singleWriter: boolean;
  readonly #outside: ExternalSystems;
  readonly #life: ProcessLifetime;
  /** Not stored yet, in the order they came. */
  readonly #handedIn: PendingAppend[] = [];

  constructor(outside: ExternalSystems, life: ProcessLifetime, exclusive: boolean) {
    this.singleWriter = exclusive;
    this.#outside = outside;
    this.#life = life;
  }

  append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    const what = `append ${events.map((event) => event.type).join(", ")}`;
    const run = () => this.#outside.eventStore.append(stream, expectedRevision, events);
    if (this.singleWriter) {
      const last = this.#lastOf(stream);
      if (last.revision === expectedRevision) {
        onOrdered?.({ revision: last.revision + events.length, position: last.position + BigInt(events.length) });
      }
      return this.#life.call(what, this.#inOrder({ stream, events: events.length, run, stored: undefined }));
    }
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
  #inOrder(append: PendingAppend): () => Promise<AppendResult> {
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

  /** With everything that was handed in. */
  #lastOf(stream: string): AppendResult {
    let { revision, position } = this.#outside.eventStore.heads(stream);
    for (const pending of this.#handedIn) {
      if (pending.stored !== undefined) continue;
      if (pending.stream === stream) revision += pending.events;
      position += BigInt(pending.events);
    }
    return { revision, position };
  }

  readStream(stream: string, fromRevision?: number, most?: number): Promise<readonly RecordedEvent[]> {
    return this.#life.call("read", () => this.#outside.eventStore.readStream(stream, fromRevision, most));
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#outside.eventStore.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.#outside.eventStore.head();
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#outside.eventStore.eventIdAt(position);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The records of state as one process sees them; only what the service uses here takes a turn. */
export function interleavedStateStore(
  { stateStore, stateFaults }: ExternalSystems,
  life: ProcessLifetime,
  cutOffUntil: () => number,
): StateStore {
  const call = <Answer>(label: string, effect: () => Promise<Answer>) =>
    life.call(label, async () => {
      await life.waitUntil(cutOffUntil, label);
      const fault = stateFaults.shift();
      if (fault === "lost-before") throw new StateStoreUnavailable("lost");
      const answer = await effect();
      if (fault === "lost-after") throw new StateStoreUnavailable("lost");
      return answer;
    });
  return {
    get: (space, key) => call("get record", () => stateStore.get(space, key)),
    create: <Value>(space: string, key: string, value: Value, options?: PutOptions) =>
      call("create record", () => stateStore.create(space, key, value, options)),
    put: (space, key, value, options) => call("put record", () => stateStore.put(space, key, value, options)),
    replace: <Value>(space: string, key: string, version: number, value: Value, options?: PutOptions) =>
      call("replace record", () => stateStore.replace(space, key, version, value, options)),
    remove: (space, key) => call("remove record", () => stateStore.remove(space, key)),
    removeIfVersion: (space, key, version) =>
      call("remove record", () => stateStore.removeIfVersion(space, key, version)),
    list: (space, options) => stateStore.list(space, options),
    removeExpired: (now, limit) => stateStore.removeExpired(now, limit),
    close: () => Promise.resolve(),
  };
}

/** The payment gateway as one process sees it. */
export function interleavedGateway({ gateway }: ExternalSystems, life: ProcessLifetime): PaymentGateway {
  return {
    describeToken: (token, as) => gateway.describeToken(token, as),
    charge: (request: ChargeRequest) => life.call("charge", () => gateway.charge(request)),
    chargeOutcome: (charge) => life.call("ask outcome", () => gateway.chargeOutcome(charge)),
    cancelCharge: (charge) => life.call("close charge", () => gateway.cancelCharge(charge)),
    finishCharge: (charge) => life.call("close charge", () => gateway.finishCharge(charge)),
    refund: (request: RefundRequest) => life.call("refund", () => gateway.refund(request)),
    refundOutcome: (request: RefundRequest) => life.call("ask refund", () => gateway.refundOutcome(request)),
    ledgerPage: (since, after) => life.call("read ledger", () => gateway.ledgerPage(since, after)),
  };
}
