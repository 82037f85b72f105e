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

/** A charge as its intent was recorded: the same in every call about it. */
export interface Charge {
  /** The gateway's idempotency key: the gateway charges one id at most once, for ever. */
  readonly paymentId: string;
  readonly bookingId: string;
  readonly accountId: string;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  readonly method: "card" | "wallet";
  /** The card may be kept for the account. */
  readonly saveCard: boolean;
}

export interface ChargeRequest extends Charge {
  /** Never recorded with the payment. A gateway that needs it to ask again keeps it sealed, until the charge has ended. */
  readonly token: string;
}

/** How a charge ended. `details`: as far as the gateway told more than was known from the token. */
export type ChargeOutcome =
  | { readonly status: "succeeded"; readonly details?: TokenDetails }
  /** One of the failure codes of docs/rules.md#failure-codes; any other counts as `processing_error`. */
  | { readonly status: "failed"; readonly failureCode: string; readonly details?: TokenDetails };

/** How a payment id ends for good. */
export type ChargeEnding =
  | ChargeOutcome
  /** The gateway does not know the token. Nothing was charged, nor will be under this payment id. */
  | { readonly status: "rejected" }
  /** Somebody has barred the id before it was charged, so that it never can be. */
  | { readonly status: "barred" };

export interface RefundRequest {
  /** With `attempt` the gateway's idempotency key: the gateway refunds one attempt at most once, for ever. */
  readonly refundId: string;
  /** 1 at first; an operator who has a failed refund sent again makes it one more. */
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

/** Money the card holder has asked back through their bank. */
export interface Dispute {
  /** The gateway's. */
  readonly disputeId: string;
  readonly paymentId: string;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  /** The gateway's codes. */
  readonly reason: string;
  readonly status: string;
}

/** What an inbound event is about; the caller asks for what became of it. */
export type Subject =
  | { readonly kind: "charge"; readonly paymentId: string }
  | { readonly kind: "refund"; readonly refundId: string }
  | { readonly kind: "dispute"; readonly dispute: Dispute };

/** A genuine event of the gateway: only a hint to look, so that repetition and disorder change nothing. */
export interface InboundEvent {
  /** Asks the gateway what it is about; none for an unknown kind. @throws as the port's calls. */
  subjects(): Promise<readonly Subject[]>;
}

/** A charge that took money, as the gateway's books have it. */
export interface LedgerCharge {
  /** The gateway's own. */
  readonly gatewayId: string;
  /** Null where it is not one of ours. */
  readonly paymentId: string | null;
  /** Another charge is known to be the payment's: this one took money under its id once more. */
  readonly isSecond: boolean;
  /** Real time, to the second; null: unknown. */
  readonly createdAt: number | null;
  /** In the currency's smallest unit, as in the API. */
  readonly amount: number;
  readonly currency: string;
  /** Failed ones left out; `refundId` is null where it is not one of ours (made in the gateway's dashboard). */
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
  /** Continues the walk behind this page; undefined: this was the last. */
  readonly next: string | undefined;
}

/**
 * Charges and refunds money. Every call that asks the gateway may throw `GatewayTimeout` (no answer; the call may have
 * taken effect) or `GatewayUnavailable` (the call had no effect and may be repeated as it is).
 */
export interface PaymentGateway {
  /** The tokens there are, in words, where everybody may know them all. */
  readonly tokens?: string;
  /** The details of a token as far as they are known without asking anybody; undefined where it can't be one. */
  describeToken(token: string, as: "card" | { readonly walletType: string }): TokenDetails | undefined;
  /**
   * Charges once per payment id; a repeated id returns the first ending, so repeating is how a lost answer is asked for.
   */
  charge(request: ChargeRequest): Promise<ChargeEnding>;
  /** How a charge has ended; undefined: nothing is known. Changes nothing. */
  chargeOutcome(charge: Charge): Promise<ChargeEnding | undefined>;
  /**
   * Returns how the charge has ended if it has; else bars the id, so that nobody can ever charge it.
   * @throws GatewayTimeout also while neither is certain yet: to be asked again later.
   */
  cancelCharge(charge: Charge): Promise<ChargeEnding>;
  /** Goes on with a charge whose token the gateway has kept, as `charge` does; any other as `cancelCharge`. */
  finishCharge(charge: Charge): Promise<ChargeEnding>;
  /**
   * Refunds once per refund id and attempt; a repeated attempt moves no more money. `failed`: refused (it exceeds the rest
   * of the charge, has another currency, nothing was charged), or accepted and failed later.
   */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** How far an attempt is; undefined: the gateway has never seen it. */
  refundOutcome(request: RefundRequest): Promise<RefundOutcome | undefined>;
  /**
   * Whether an inbound event is the gateway's own, and what it says; undefined for a forged, stale or malformed one.
   * Absent: the gateway sends none. Asks nobody.
   * @param headers by lower-case name. @param body as it came.
   */
  inbound?(headers: Readonly<Record<string, string | undefined>>, body: Uint8Array): InboundEvent | undefined;
  /**
   * The charges that took money since a moment (real time), each once, oldest or newest first; may have older ones, too.
   * @param after `next` of the page before; undefined: from the beginning.
   */
  ledgerPage(since: number, after: string | undefined): Promise<LedgerPage>;
}

/** Where the gateway of Stripe keeps the tokens of cards it may have to charge again. */
export const SEALED_TOKENS = { space: "stripe-charges", purpose: "stripe-tokens", field: "token" } as const;

/** What a gateway is opened with. */
export interface GatewayContext {
  /** What it has to remember, shared by all instances of the service. */
  readonly state: StateStore;
  /** Seals what must not be stored readably. */
  readonly secretKey: SecretKey;
}

/** A gateway that can be chosen by its name (`PAYMENT_GATEWAY`); inbound events come to `/gateways/<name>/webhooks`. */
export interface GatewayDefinition {
  /**
   * Checks the gateway's own settings and returns what opens it. Opening connects nowhere.
   * @throws SettingsError names every setting that is wrong.
   */
  configure(environment: Readonly<Record<string, string | undefined>>, settings: GatewaySettings): OpenGateway;
}
export type OpenGateway = (context: GatewayContext) => PaymentGateway;

/** What of the service's settings a gateway may have to agree with. */
export interface GatewaySettings {
  readonly sandboxClock: boolean;
}

export class GatewayTimeout extends Error {
  override readonly name: string = "GatewayTimeout";
}

export class GatewayUnavailable extends Error {
  override readonly name: string = "GatewayUnavailable";
}

/** The gateway refuses the service's own key, or the account may not charge: an operator has to act. No effect. */
export class GatewayMisconfigured extends GatewayUnavailable {
  override readonly name: string = "GatewayMisconfigured";
}
