import type { StateStore } from "@travel-booking/engines/state-store";
import type { SecretKey } from "@travel-booking/runtime";

/** The displayable details of a means of payment. */
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

/** A charge as its intent was recorded. It is the same in every call about it. */
export interface Charge {
  /** The gateway's idempotency key: the gateway charges one id at most once, for ever. */
  readonly paymentId: string;
  readonly bookingId: string;
  readonly accountId: string;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  readonly method: "card" | "wallet";
  /** True if the card may be kept for the account. */
  readonly saveCard: boolean;
}

export interface ChargeRequest extends Charge {
  /** Never recorded with the payment. A gateway that needs it again keeps it sealed until the charge has ended. */
  readonly token: string;
}

/** The outcome of a charge. `details`: if the gateway reported more than the token showed. */
export type ChargeOutcome =
  | { readonly status: "succeeded"; readonly details?: TokenDetails }
  /** One of the failure codes of docs/rules.md#failure-codes; any other counts as `processing_error`. */
  | { readonly status: "failed"; readonly failureCode: string; readonly details?: TokenDetails };

/** The final result for a payment id. */
export type ChargeEnding =
  | ChargeOutcome
  /** The gateway does not know the token. Nothing was charged, nor will be under this payment id. */
  | { readonly status: "rejected" }
  /** The id was barred before it was charged, so it can never be charged. */
  | { readonly status: "barred" };

export interface RefundRequest {
  /** Together with `attempt` the gateway's idempotency key. The gateway refunds one attempt at most once, for ever. */
  readonly refundId: string;
  /** 1 at first. When an operator sends a failed refund again, the number grows by one. */
  readonly attempt: number;
  readonly paymentId: string;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  /** As in the API. */
  readonly reason: string;
}

/** `reason`: a short code in lower snake case for the operator, never the gateway's own text. */
export type RefundOutcome =
  | { readonly status: "succeeded" }
  | { readonly status: "pending" }
  | { readonly status: "failed"; readonly reason: string };

/** Money that the card holder demanded back through their bank. */
export interface Dispute {
  /** The gateway's id. */
  readonly disputeId: string;
  readonly paymentId: string;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  /** The gateway's codes. */
  readonly reason: string;
  readonly status: string;
}

/** The subject of an inbound event. The caller asks the gateway for its current state. */
export type Subject =
  | { readonly kind: "charge"; readonly paymentId: string }
  | { readonly kind: "refund"; readonly refundId: string }
  | { readonly kind: "dispute"; readonly dispute: Dispute };

/** A genuine event of the gateway. It is only a hint to look, so repeated and disordered events change nothing. */
export interface InboundEvent {
  /** Asks the gateway for the event's subjects; none for an unknown kind. @throws as the port's calls. */
  subjects(): Promise<readonly Subject[]>;
}

/** A charge that took money, from the gateway's books. */
export interface LedgerCharge {
  /** The gateway's own. */
  readonly gatewayId: string;
  /** Null if the charge is not one of ours. */
  readonly paymentId: string | null;
  /** True if another charge is known to be the payment's, so that this one took money under its id a second time. */
  readonly isSecond: boolean;
  /** Real time, to the second; null: unknown. */
  readonly createdAt: number | null;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  /** Without failed refunds. `refundId` is null if the refund is not ours (made in the gateway's dashboard). */
  readonly refunds: readonly LedgerRefund[];
  readonly disputes: readonly Dispute[];
}

export interface LedgerRefund {
  /** The gateway's own. */
  readonly gatewayId: string;
  readonly refundId: string | null;
  readonly amount: number;
  readonly status: "pending" | "succeeded";
}

export interface LedgerPage {
  readonly charges: readonly LedgerCharge[];
  /** The cursor of the next page; undefined: this was the last page. */
  readonly next: string | undefined;
}

/**
 * Charges and refunds money. Every call that asks the gateway may throw two errors. `GatewayTimeout`: no answer, and
 * the call may have taken effect. `GatewayUnavailable`: the call had no effect, and may be repeated unchanged.
 */
export interface PaymentGateway {
  /** A list of all tokens, in words, if they are public. */
  readonly tokens?: string;
  /** By currency, where it can move only multiples of so much of the smallest unit. */
  readonly amountSteps?: Readonly<Record<string, number>>;
  /** The details of a token that are known without asking the gateway; undefined if it can't be a token. */
  describeToken(token: string, as: "card" | { readonly walletType: string }): TokenDetails | undefined;
  /** Charges once per payment id. A repeated id returns the first ending, so repeating recovers a lost answer. */
  charge(request: ChargeRequest): Promise<ChargeEnding>;
  /** The ending of a charge; undefined if nothing is known. Changes nothing. */
  chargeOutcome(charge: Charge): Promise<ChargeEnding | undefined>;
  /**
   * Returns the ending of a charge that has ended. Else bars the id, so that it can never be charged.
   * @throws GatewayTimeout also while neither is certain yet; ask again later.
   */
  cancelCharge(charge: Charge): Promise<ChargeEnding>;
  /** Continues a charge as `charge` does, if the gateway has kept its token; else does the same as `cancelCharge`. */
  finishCharge(charge: Charge): Promise<ChargeEnding>;
  /**
   * Refunds once per refund id and attempt; a repeated attempt moves no more money. `failed`: accepted and failed
   * later, or refused. Refused: it exceeds the rest of the charge, has another currency, or nothing was charged.
   */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** The state of an attempt; undefined if the gateway has never seen it. */
  refundOutcome(request: RefundRequest): Promise<RefundOutcome | undefined>;
  /**
   * Checks an inbound event; undefined if it is forged, stale or malformed. Absent: the gateway sends no events. Makes
   * no request.
   * @param headers by lower-case name. @param body as it arrived.
   */
  inbound?(headers: Readonly<Record<string, string | undefined>>, body: Uint8Array): InboundEvent | undefined;
  /**
   * The charges that took money since a moment (real time), each once, oldest or newest first. May include older ones.
   * @param after `next` of the page before; undefined: from the beginning.
   */
  ledgerPage(since: number, after: string | undefined): Promise<LedgerPage>;
}

/** The records in which the Stripe gateway keeps tokens of cards that it may have to charge again. */
export const SEALED_TOKENS = { space: "stripe-charges", purpose: "stripe-tokens", field: "token" } as const;

/** The parts of the service that a gateway gets. */
export interface GatewayContext {
  /** The gateway's memory, shared by all instances of the service. */
  readonly state: StateStore;
  /** Seals secrets before they are stored. */
  readonly secretKey: SecretKey;
}

/** A gateway that `PAYMENT_GATEWAY` can name. Inbound events come to `/gateways/<name>/webhooks`. */
export interface GatewayDefinition {
  /**
   * Checks the gateway's own settings and returns a function that opens it. Opening connects nowhere.
   * @throws SettingsError names every setting that is wrong.
   */
  configure(environment: Readonly<Record<string, string | undefined>>, settings: GatewaySettings): OpenGateway;
}
export type OpenGateway = (context: GatewayContext) => PaymentGateway;

/** The service's settings that a gateway may depend on. */
export interface GatewaySettings {
  readonly sandboxClock: boolean;
}

export class GatewayTimeout extends Error {
  override readonly name: string = "GatewayTimeout";
}

export class GatewayUnavailable extends Error {
  override readonly name: string = "GatewayUnavailable";
}

/** The gateway refuses the service's key, or the account may not charge. No effect; an operator has to act. */
export class GatewayMisconfigured extends GatewayUnavailable {
  override readonly name: string = "GatewayMisconfigured";
}

/** The chosen gateway. Its settings have been checked. */
export interface ChosenGateway {
  readonly name: string;
  readonly open: OpenGateway;
}
