/** What a token stands for, as far as anyone may know. */
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
  /** The gateway's idempotency key: one id is charged at most once, for ever. */
  readonly paymentId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  readonly token: string;
}

export interface RefundRequest {
  /** The gateway's idempotency key: one id is refunded at most once, for ever. */
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
 * Takes and gives back money. Every call may fail by throwing `GatewayTimeout` (the answer was lost, the call may
 * have worked) or `GatewayUnavailable` (it did not).
 */
export interface PaymentGateway {
  /** What the token stands for; undefined for a token the gateway does not know. Moves no money. */
  describeToken(token: string, as: "card" | { readonly walletType: string }): Promise<TokenDetails | undefined>;
  /** Charges once per payment id; the same id again answers the first outcome. A barred id fails `processing_error`. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** What became of a charge; undefined where the gateway has never seen the id. */
  chargeOutcome(paymentId: string): Promise<ChargeOutcome | undefined>;
  /** The outcome of the charge if there is one; else bars the id, so that it can never be charged, and says so. */
  cancelCharge(paymentId: string): Promise<ChargeOutcome | { readonly status: "barred" }>;
  /**
   * Gives money back, once per refund id. Resolves when the gateway has confirmed it. Throws `RefundRefused`, for good,
   * where it is more than what is left of the charge, in another currency, or of a payment that took no money.
   */
  refund(request: RefundRequest): Promise<void>;
}

export class GatewayTimeout extends Error {
  override readonly name = "GatewayTimeout";
}

export class GatewayUnavailable extends Error {
  override readonly name = "GatewayUnavailable";
}

/** The refund can't be made, however often it is asked for. */
export class RefundRefused extends Error {
  override readonly name = "RefundRefused";
}
