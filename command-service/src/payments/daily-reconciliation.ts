import { DAY, type Difference } from "@travel-booking/domain";
import type { SandboxClock } from "@travel-booking/runtime";
import type { OperatorServices } from "../operator/operator-services.ts";
import { type ReconciliationProgress, reconcile } from "./reconciliation.ts";

const SPACE = "reconciliation";
const LAST = "last";
/** How far back the planned one looks: refunds and disputes come long after their charges. */
const LOOKS_BACK = 30 * DAY;
/** Real time. */
const CHECK_INTERVAL_MS = 60_000;

/** The result of the last one that came to its end. Instants by the service's clock. */
export interface LastReconciliation {
  readonly at: number;
  readonly since: number;
  readonly differences: number;
}

interface ReconciliationOptions {
  readonly services: OperatorServices;
  readonly clock: SandboxClock;
  /** Whether it is run every day without being asked. */
  readonly daily: boolean;
}

/** Reconciles when an operator asks, and daily where the gateway's books are somebody else's (docs/rules.md#reconciliation). */
export class Reconciliation {
  readonly #options: ReconciliationOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReconciliationOptions) {
    this.#options = options;
  }

  /** @throws GatewayTimeout or GatewayUnavailable: the same again goes on where it was. */
  async run(
    since: number,
    onProgress: (progress: ReconciliationProgress) => void = () => undefined,
  ): Promise<readonly Difference[]> {
    const { services, clock } = this.#options;
    const at = clock.now();
    const differences = await reconcile(services, { since, offset: clock.offset }, onProgress);
    await services.state.put<LastReconciliation>(SPACE, LAST, { at, since, differences: differences.length });
    return differences;
  }

  async last(): Promise<LastReconciliation | undefined> {
    return (await this.#options.services.state.get<LastReconciliation>(SPACE, LAST))?.value;
  }

  /** For `/health/ready`; undefined where there was none. */
  async summary(): Promise<string | undefined> {
    const last = await this.last();
    if (last === undefined) return undefined;
    const { at, since, differences } = last;
    return `reconciled at ${new Date(at).toISOString()} since ${new Date(since).toISOString()}: ${differences} differences`;
  }

  start(): void {
    if (!this.#options.daily) return;
    const check = () => {
      this.#running = this.#runIfDue().then(() => {
        this.#timer = setTimeout(check, CHECK_INTERVAL_MS);
        this.#timer.unref();
      });
    };
    check();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
    clearTimeout(this.#timer);
  }

  /** Begins a day on the same `since` again, so that an interrupted run goes on. */
  async #runIfDue(): Promise<void> {
    const { services, clock } = this.#options;
    try {
      const last = await this.last();
      const now = clock.now();
      if (last !== undefined && now - last.at < DAY) return;
      const differences = await this.run(Math.floor(now / DAY) * DAY - LOOKS_BACK);
      if (differences.length === 0) return;
      services.logger.error(
        { differences: differences.length, first: differences[0] },
        "the payment gateway's ledger differs from ours: payments reconcile names what",
      );
    } catch (error) {
      services.logger.warn({ err: error }, "payments could not be reconciled and will be soon");
    }
  }
}
