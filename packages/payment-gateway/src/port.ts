/** The displayable details of a token. */
export type TokenDetails =
  | {
      readonly type: "card";
      readonly card: {
        readonly brand: string;
        readonly last4: string;
        readonly expMonth: number;
        readonly expYear: number;
      };
    }
  | { readonly type: "wallet"; readonly wallet: { readonly type: string } };

export interface ChargeRequest {
  /** The gateway's idempotency key: the gateway charges one id at most once, for ever. */
  readonly paymentId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  readonly token: string;
}

export interface RefundRequest {
  /** The gateway's idempotency key: the gateway refunds one id at most once, for ever. */
  readonly refundId: string;
  readonly paymentId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
}

export type ChargeOutcome =
  | { readonly status: "succeeded" }
  | { readonly status: "failed"; readonly failureCode: string };

/**
 * Charges and refunds money. Every call may throw `GatewayTimeout` (no answer; the call may have taken effect) or
 * `GatewayUnavailable` (the call had no effect).
 */
export interface PaymentGateway {
  /** The details of a token; undefined for an unknown one. Moves no money. */
  describeToken(token: string, as: "card" | { readonly walletType: string }): Promise<TokenDetails | undefined>;
  /**
   * Charges once per payment id; a repeated id returns the first outcome. A barred id fails with `processing_error`.
   */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** The outcome of a charge; undefined for an unknown id. */
  chargeOutcome(paymentId: string): Promise<ChargeOutcome | undefined>;
  /** Returns the outcome of the charge if there is one; else bars the id, so that nobody can ever charge it. */
  cancelCharge(paymentId: string): Promise<ChargeOutcome | { readonly status: "barred" }>;
  /**
   * Refunds once per refund id. Resolves when the gateway has confirmed it.
   * @throws RefundRefused the refund exceeds the rest of the charge, has another currency, or nothing was charged.
   */
  refund(request: RefundRequest): Promise<void>;
}

export class GatewayTimeout extends Error {
  override readonly name = "GatewayTimeout";
}

export class GatewayUnavailable extends Error {
  override readonly name = "GatewayUnavailable";
}

/** The refund is impossible; a retry will not help. */
export class RefundRefused extends Error {
  override readonly name = "RefundRefused";
}
