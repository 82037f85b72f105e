import { GatewayMisconfigured } from "@travel-booking/payment-gateway";
import type { Logger } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";

/** One line in so many milliseconds of real time: every payment meets the same refusal. */
const LINE_INTERVAL_MS = 60_000;

/** Tells the operator that the gateway refuses the service itself: no payment can succeed until somebody acts. */
export class GatewayMonitor {
  readonly #logger: Pick<Logger, "error">;
  readonly #time: Pick<RealTime, "now">;
  #refusals = 0;
  #nextLineAt = Number.NEGATIVE_INFINITY;

  constructor(logger: Pick<Logger, "error">, time: Pick<RealTime, "now"> = realTime) {
    this.#logger = logger;
    this.#time = time;
  }

  /** How often the gateway has refused the service's key or account since the start. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Errors that are not the operator's leave no trace here. */
  report(error: unknown): void {
    if (!(error instanceof GatewayMisconfigured)) return;
    this.#refusals += 1;
    const now = this.#time.now();
    if (now < this.#nextLineAt) return;
    this.#nextLineAt = now + LINE_INTERVAL_MS;
    this.#logger.error({ err: error }, "the payment gateway refuses this service: check its key and account");
  }
}
