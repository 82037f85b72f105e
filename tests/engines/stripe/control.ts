import type { Fault } from "./server/faults.ts";
import type { SeenRequest } from "./server/request.ts";

/** A payment in the double's books, whoever asked for it. */
export interface BookedPayment {
  /** Of the metadata; undefined: not one of the service's. */
  readonly paymentId: string | undefined;
  readonly intentId: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  /** What was taken from the card, refunds not counted. */
  readonly received: number;
  /** Of what was received; refunds that came back not counted. */
  readonly refunded: number;
  readonly refunds: readonly BookedRefund[];
  readonly disputed: boolean;
}

export interface BookedRefund {
  readonly refundId: string | undefined;
  readonly gatewayId: string;
  readonly amount: number;
  readonly status: string;
  readonly reason: string | null;
}

/** What the double can be told, by name, with what it answers; on a double in another process as `POST /_double/<name>`. */
export interface StripeDoubleControl {
  /** The next requests of an operation (`POST /v1/refunds`) go wrong so, one fault each. */
  failNext(operation: string, ...faults: readonly Fault[]): void;
  /** Lets go of what is held. */
  release(): void;
  /** Nothing goes wrong any more. */
  reset(): void;
  /** Sets its clock ahead. */
  advance(ms: number): void;
  /** How long search does not know what is new. */
  lagSearch(ms: number): void;
  /** The secret key is from here on this one. */
  replaceKey(secretKey: string): void;
  /** What is told of a key with other parameters while its first request is under way. */
  whileKeyIsInUse(refusal: "in use" | "other parameters"): void;
  /** Nobody listens, or somebody does again. */
  refuseConnections(refused: boolean): Promise<void>;
  /** All payments, oldest first. */
  payments(): readonly BookedPayment[];
  /** The requests that came in, oldest first. */
  requests(): readonly SeenRequest[];
  /** A refund that waits arrives. */
  completeRefund(gatewayId: string): void;
  /** A refund comes back, even one that had succeeded. */
  failRefund(gatewayId: string, reason: string): void;
  /** As in Stripe's dashboard: nobody's metadata. Answers with its id. */
  refundByHand(intentId: string, amount: number): string;
  /** The card holder asks for their money through their bank. Answers with the dispute's id. */
  dispute(intentId: string, reason: string): string;
  /**
   * Posts all events to a URL, as often as told, in their order or backwards, each signed with this time (its clock unless
   * told), and answers with the statuses (0: no answer).
   */
  deliver(url: string, options?: DeliveryOptions): Promise<readonly number[]>;
}

export interface DeliveryOptions {
  readonly times?: number;
  readonly backwards?: boolean;
  /** Unix time. */
  readonly at?: number;
  readonly secret?: string;
}
