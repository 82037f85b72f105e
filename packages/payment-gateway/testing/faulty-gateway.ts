import {
  type Charge,
  type ChargeEnding,
  type ChargeRequest,
  GatewayMisconfigured,
  GatewayTimeout,
  GatewayUnavailable,
  type LedgerPage,
  type PaymentGateway,
  type RefundOutcome,
  type RefundRequest,
  type TokenDetails,
} from "../src/port.ts";

/**
 * `timeout-before`: the request was lost, nothing happened. `timeout-after`: it worked, the answer was lost.
 * `unavailable`: the gateway refused the connection, nothing happened; `misconfigured`: it refused the service's key.
 */
export type GatewayFault = "timeout-before" | "timeout-after" | "unavailable" | "misconfigured";

export type GatewayCall = "charge" | "outcome" | "close" | "refund" | "refund outcome" | "ledger";

/** A gateway that fails as its script says, at once and without waiting; without a script it is the gateway inside. */
export class FaultyGateway implements PaymentGateway {
  readonly #inner: PaymentGateway;
  readonly #scripts = new Map<GatewayCall, GatewayFault[]>();
  readonly #calls = new Map<GatewayCall, number>();

  constructor(inner: PaymentGateway) {
    this.#inner = inner;
  }

  /** The next calls of this kind fail so, one fault each, behind what is scripted already. */
  failNext(call: GatewayCall, ...faults: readonly GatewayFault[]): void {
    this.#scripts.set(call, [...(this.#scripts.get(call) ?? []), ...faults]);
  }

  /** The next so many calls of this kind find the gateway unavailable. */
  failUnavailable(call: GatewayCall, times: number): void {
    this.failNext(call, ...Array.from({ length: times }, () => "unavailable" as const));
  }

  /** How often this call was made, failed ones included. */
  callCount(call: GatewayCall): number {
    return this.#calls.get(call) ?? 0;
  }

  describeToken(token: string, as: "card" | { readonly walletType: string }): TokenDetails | undefined {
    return this.#inner.describeToken(token, as);
  }

  charge(request: ChargeRequest): Promise<ChargeEnding> {
    return this.#run("charge", () => this.#inner.charge(request));
  }

  chargeOutcome(charge: Charge): Promise<ChargeEnding | undefined> {
    return this.#run("outcome", () => this.#inner.chargeOutcome(charge));
  }

  cancelCharge(charge: Charge): Promise<ChargeEnding> {
    return this.#run("close", () => this.#inner.cancelCharge(charge));
  }

  finishCharge(charge: Charge): Promise<ChargeEnding> {
    return this.#run("close", () => this.#inner.finishCharge(charge));
  }

  refund(request: RefundRequest): Promise<RefundOutcome> {
    return this.#run("refund", () => this.#inner.refund(request));
  }

  refundOutcome(request: RefundRequest): Promise<RefundOutcome | undefined> {
    return this.#run("refund outcome", () => this.#inner.refundOutcome(request));
  }

  ledgerPage(since: number, after: string | undefined): Promise<LedgerPage> {
    return this.#run("ledger", () => this.#inner.ledgerPage(since, after));
  }

  async #run<Answer>(call: GatewayCall, effect: () => Promise<Answer>): Promise<Answer> {
    this.#calls.set(call, this.callCount(call) + 1);
    const fault = this.#scripts.get(call)?.shift();
    if (fault === "misconfigured") throw new GatewayMisconfigured("the gateway refuses the service's key");
    if (fault === "unavailable") throw new GatewayUnavailable("the gateway is out of reach");
    if (fault === "timeout-before") throw new GatewayTimeout("the gateway did not answer in time");
    const answer = await effect();
    if (fault === "timeout-after") throw new GatewayTimeout("the gateway did not answer in time");
    return answer;
  }
}
