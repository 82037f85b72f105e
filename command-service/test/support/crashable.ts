import type {
  AppendResult,
  EventStore,
  EventToAppend,
  RecordedEvent,
  SubscribeOptions,
} from "@travel-booking/engines/event-store";
import type { ChargeRequest, PaymentGateway, RefundRequest } from "@travel-booking/payment-gateway";

/** What everything says that a dead process still asks for. */
export class ProcessCrashed extends Error {
  override readonly name = "ProcessCrashed";
}

/** One life of a process. */
export interface ProcessLifetime {
  ended: boolean;
}

function whileAlive<Answer>(life: ProcessLifetime, effect: () => Promise<Answer>): Promise<Answer> {
  return life.ended ? Promise.reject(new ProcessCrashed()) : effect();
}

/** The store while the process lives. */
export class CrashableEventStore implements EventStore {
  readonly singleWriter: boolean;
  readonly #inner: EventStore;
  readonly #life: ProcessLifetime;

  constructor(inner: EventStore, life: ProcessLifetime) {
    this.#inner = inner;
    this.singleWriter = inner.singleWriter;
    this.#life = life;
  }

  append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    return whileAlive(this.#life, () => this.#inner.append(stream, expectedRevision, events, onOrdered));
  }

  readStream(stream: string, fromRevision?: number, most?: number): Promise<readonly RecordedEvent[]> {
    return whileAlive(this.#life, () => this.#inner.readStream(stream, fromRevision, most));
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#inner.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.#inner.head();
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#inner.eventIdAt(position);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** The gateway while the process lives. */
export function crashableGateway(inner: PaymentGateway, life: ProcessLifetime): PaymentGateway {
  return {
    describeToken: (token, as) => inner.describeToken(token, as),
    charge: (request: ChargeRequest) => whileAlive(life, () => inner.charge(request)),
    chargeOutcome: (charge) => whileAlive(life, () => inner.chargeOutcome(charge)),
    cancelCharge: (charge) => whileAlive(life, () => inner.cancelCharge(charge)),
    finishCharge: (charge) => whileAlive(life, () => inner.finishCharge(charge)),
    refund: (request: RefundRequest) => whileAlive(life, () => inner.refund(request)),
    refundOutcome: (request: RefundRequest) => whileAlive(life, () => inner.refundOutcome(request)),
    ledgerPage: (since, after) => whileAlive(life, () => inner.ledgerPage(since, after)),
  };
}
