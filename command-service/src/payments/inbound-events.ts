import {
  bookingIdOfPayment,
  bookingIdOfRefund,
  lookAtCharge,
  lookAtRefund,
  recordDispute,
  type Saga,
} from "@travel-booking/domain";
import { type ApiResponse, errorResponse, type PlainRoute, type RawBody, unavailable } from "@travel-booking/http";
import { GatewayTimeout, GatewayUnavailable, type InboundEvent, type Subject } from "@travel-booking/payment-gateway";
import { Fifo } from "@travel-booking/runtime/fifo";
import { BoundedBackoff, realTime, withTimeout } from "@travel-booking/runtime/real-time";
import { runSaga } from "../processes/run-saga.ts";
import type { CommandServices } from "../services.ts";

/** Limits for an event of a gateway, which names only one object. */
const BODY = { maxBytes: 262_144, withinMs: 5_000 };
const CONCURRENCY = 4;
/** Further events are refused, so that the gateway sends them again. */
const MAX_WAITING = 1_000;
/** Real time that an answer may take. */
const ANSWER_WITHIN_MS = 900;
/** Real time for one event. After it, the service waits until the gateway sends the event again. */
const GIVE_UP_AFTER_MS = 30_000;

const FORGED = errorResponse(400, "forged_event", ["this is no recent event of the payment gateway"]);
const TOO_MANY = unavailable("overloaded", "too many events of the payment gateway are waiting; send it again");
const NOT_RECORDED = unavailable("gateway_unavailable", "what the event is about is not recorded yet; send it again");
const RECORDED: ApiResponse = { status: 204, json: null };

interface Waiting {
  readonly event: InboundEvent;
  /** Called with true if everything about the event is recorded. */
  readonly recorded: (everything: boolean) => void;
}

/**
 * Events of the payment gateway (docs/rules.md#inbound-events). A genuine event is a hint: the service asks the gateway
 * about its subject. Only recorded events are acknowledged. The gateway sends others again, so a crash loses none.
 */
export class InboundEvents {
  readonly #services: CommandServices;
  readonly #waiting = new Fifo<Waiting>();
  readonly #working = new Set<Promise<void>>();
  #stopped = false;

  constructor(services: CommandServices) {
    this.#services = services;
  }

  /** `/gateways/<name>/webhooks`; none for a gateway that sends no events. */
  routes(name: string): readonly PlainRoute[] {
    const { gateway } = this.#services;
    if (gateway.inbound === undefined) return [];
    const path = `/gateways/${name}/webhooks`;
    return [
      {
        method: "POST",
        path,
        body: BODY,
        handler: ({ body, raw }) => {
          const read = body as RawBody;
          if ("problem" in read) return errorResponse(400, "invalid_request", [read.problem]);
          const names = Object.keys(raw.request.headers);
          const headers = Object.fromEntries(names.map((each) => [each, raw.request.headers[each]?.toString()]));
          const event = gateway.inbound?.(headers, read);
          return event === undefined ? FORGED : this.#take(event);
        },
      },
    ];
  }

  /** Begins no more events. Resolves when the events in work have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    await this.settled();
  }

  /** Resolves when no event is in work. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  async #take(event: InboundEvent): Promise<ApiResponse> {
    if (this.#stopped || this.#waiting.size >= MAX_WAITING) return TOO_MANY;
    const { promise: isRecorded, resolve: recorded } = Promise.withResolvers<boolean>();
    this.#waiting.push({ event, recorded });
    if (this.#working.size < CONCURRENCY) {
      const work = this.#work().finally(() => this.#working.delete(work));
      this.#working.add(work);
    }
    const done = await withTimeout(isRecorded, ANSWER_WITHIN_MS, () => new Error("not yet")).catch(() => false);
    return done ? RECORDED : NOT_RECORDED;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next.recorded(await this.#lookAt(next.event));
    }
  }

  async #lookAt(event: InboundEvent): Promise<boolean> {
    const { realTime: time = realTime, gatewayMonitor, logger } = this.#services;
    const backoff = new BoundedBackoff(time, GIVE_UP_AFTER_MS);
    let problem: unknown;
    do {
      try {
        for (const subject of await event.subjects()) {
          const saga = sagaOf(subject);
          if (saga !== undefined) await runSaga(this.#services, saga);
        }
        return true;
      } catch (error) {
        gatewayMonitor.report(error);
        problem = error;
        if (!(error instanceof GatewayTimeout || error instanceof GatewayUnavailable)) break;
      }
    } while (!this.#stopped && (await backoff.pause()));
    logger.warn({ err: problem }, "an event of the payment gateway could not be followed up");
    return false;
  }
}

/** The saga that asks the gateway about a subject; undefined if the subject is not of this service. */
function sagaOf(subject: Subject): Saga | undefined {
  switch (subject.kind) {
    case "charge": {
      const bookingId = bookingIdOfPayment(subject.paymentId);
      return bookingId === undefined ? undefined : lookAtCharge(bookingId, subject.paymentId);
    }
    case "refund": {
      const bookingId = bookingIdOfRefund(subject.refundId);
      return bookingId === undefined ? undefined : lookAtRefund(bookingId, subject.refundId);
    }
    case "dispute": {
      const { paymentId, ...dispute } = subject.dispute;
      const bookingId = bookingIdOfPayment(paymentId);
      return bookingId === undefined ? undefined : recordDispute(bookingId, paymentId, dispute);
    }
  }
}
