import { DAY, type Difference } from "@travel-booking/domain";
import type { SandboxClock } from "@travel-booking/runtime";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import type { OperatorServices } from "../operator/operator-services.ts";
import type { ReconcileOptions } from "./reconciliation.ts";

const SPACE = "reconciliation";
const LAST = "last";
/** How far back the daily run looks, because refunds and disputes come long after their charges. */
const LOOKS_BACK = 30 * DAY;
/** Real time. */
const CHECK_INTERVAL_MS = 60_000;

/** The result of the last run that came to its end. Instants by the service's clock. */
export interface LastReconciliation {
  readonly at: number;
  readonly since: number;
  readonly differences: number;
}

interface ReconciliationOptions {
  readonly services: OperatorServices;
  readonly clock: SandboxClock;
}

/** Reconciles when an operator asks, and daily if started by `runUntil` (docs/rules.md#reconciliation). */
export class Reconciliation {
  readonly #options: ReconciliationOptions;

  constructor(options: ReconciliationOptions) {
    this.#options = options;
  }

  /**
   * @throws GatewayTimeout or GatewayUnavailable; repeated, the run goes on where it was.
   * @throws AbortError the signal has ended it.
   */
  async run(
    since: number,
    options: Pick<ReconcileOptions, "onProgress" | "signal"> = {},
  ): Promise<readonly Difference[]> {
    const { services, clock } = this.#options;
    const at = clock.now();
    // Daily at most, so a start does not load it.
    const { reconcile } = await import("./reconciliation.ts");
    const differences = await reconcile(services, { ...options, since, offset: clock.offset });
    await services.state.put<LastReconciliation>(SPACE, LAST, { at, since, differences: differences.length });
    return differences;
  }

  async last(): Promise<LastReconciliation | undefined> {
    return (await this.#options.services.state.get<LastReconciliation>(SPACE, LAST))?.value;
  }

  /** The last result in words for operators; undefined if there was none. */
  async summary(): Promise<string | undefined> {
    const last = await this.last();
    if (last === undefined) return undefined;
    const { at, since, differences } = last;
    return `reconciled at ${new Date(at).toISOString()} since ${new Date(since).toISOString()}: ${differences} differences`;
  }

  /** Reconciles daily until the signal aborts. */
  async runUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#runIfDue(signal);
      await backgroundPause(CHECK_INTERVAL_MS, signal);
    }
  }

  /** Uses the same `since` all day, so that an interrupted run goes on. */
  async #runIfDue(signal: AbortSignal): Promise<void> {
    const { services, clock } = this.#options;
    try {
      const last = await this.last();
      const now = clock.now();
      if (last !== undefined && now - last.at < DAY) return;
      const differences = await this.run(Math.floor(now / DAY) * DAY - LOOKS_BACK, { signal });
      if (differences.length === 0) return;
      services.logger.error(
        { differences: differences.length, first: differences[0] },
        "the payment gateway's ledger differs from ours: payments reconcile names what",
      );
    } catch (error) {
      if (signal.aborted) return;
      services.logger.warn({ err: error }, "payments could not be reconciled and will be soon");
    }
  }
}
