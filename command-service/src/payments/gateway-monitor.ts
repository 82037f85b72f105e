import { GatewayMisconfigured } from "@travel-booking/payment-gateway";
import type { Logger } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";

/** Milliseconds of real time between two log lines, because every payment meets the same refusal. */
const LINE_INTERVAL_MS = 60_000;

/** Reports that the gateway refuses the service itself, because then no payment succeeds until an operator acts. */
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

  /** Ignores errors that an operator can't fix. */
  report(error: unknown): void {
    if (!(error instanceof GatewayMisconfigured)) return;
    this.#refusals += 1;
    const now = this.#time.now();
    if (now < this.#nextLineAt) return;
    this.#nextLineAt = now + LINE_INTERVAL_MS;
    this.#logger.error({ err: error }, "the payment gateway refuses this service: check its key and account");
  }
}
