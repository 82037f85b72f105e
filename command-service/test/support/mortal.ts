import type {
  AppendResult,
  EventStore,
  EventToAppend,
  RecordedEvent,
  SubscribeOptions,
} from "@travel-booking/engines/event-store";
import type { ChargeRequest, PaymentGateway, RefundRequest } from "@travel-booking/payment-gateway";

/** What everything says that a dead process still asks for. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

/** One life of a process. */
export interface Life {
  ended: boolean;
}

function through<Answer>(life: Life, effect: () => Promise<Answer>): Promise<Answer> {
  return life.ended ? Promise.reject(new ProcessDied()) : effect();
}

/** The store while the process lives. */
export class MortalEventStore implements EventStore {
  readonly exclusive = true;
  readonly #inner: EventStore;
  readonly #life: Life;

  constructor(inner: EventStore, life: Life) {
    this.#inner = inner;
    this.#life = life;
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    return through(this.#life, () => this.#inner.append(stream, expectedRevision, events));
  }

  readStream(stream: string, fromRevision?: number): Promise<readonly RecordedEvent[]> {
    return through(this.#life, () => this.#inner.readStream(stream, fromRevision));
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#inner.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.#inner.head();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** The gateway while the process lives. */
export function mortalGateway(inner: PaymentGateway, life: Life): PaymentGateway {
  return {
    describe: (token, as) => through(life, () => inner.describe(token, as)),
    charge: (request: ChargeRequest) => through(life, () => inner.charge(request)),
    outcome: (paymentId) => through(life, () => inner.outcome(paymentId)),
    close: (paymentId) => through(life, () => inner.close(paymentId)),
    refund: (request: RefundRequest) => through(life, () => inner.refund(request)),
  };
}
