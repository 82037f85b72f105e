import type { Cabin } from "../../shared/cabin.ts";
import type { DomainEvent } from "../../shared/decision.ts";

/** What a booking's points in `pointsPending` were and are. */
export interface PendingPoints {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

/** Credit that goes back in its account's bank; the same `creditId` counts once. Amount in cents. */
export interface CreditGivenUp {
  readonly accountId: string;
  readonly creditId: string;
  readonly amount: number;
}

/** `amount` cents of a `booking_credit` lower what is to pay; what is left of it is the account's. */
export type CreditApplied = DomainEvent<
  "CreditApplied",
  { readonly redemptionId: string; readonly amount: number; readonly totalAmount: number }
>;

/**
 * The booking is in a higher cabin and has no seats there yet. While unpaid, `surcharges` and `totalAmount` go with the
 * old seats; absent where they stay.
 */
export type CabinUpgraded = DomainEvent<
  "CabinUpgraded",
  {
    readonly redemptionId: string;
    readonly cabin: Cabin;
    readonly surcharges?: readonly number[];
    readonly totalAmount?: number;
    readonly creditGivenUp?: CreditGivenUp;
  }
>;

export type RewardAdded = DomainEvent<
  "RewardAdded",
  { readonly redemptionId: string; readonly reward: "extra_baggage" | "lounge_access" }
>;

/** A redemption nobody followed up is closed against a late decision, so that its points can be freed. Nobody sees it. */
export type RedemptionClosed = DomainEvent<"RedemptionClosed", { readonly redemptionId: string }>;

/**
 * The flight has departed: from here on refunds take points back that were earned. Fixes what the booking earns
 * (`amount`, cents paid and not given back) and what it had in `pointsPending`. Nobody sees it.
 */
export type BookingFlown = DomainEvent<
  "BookingFlown",
  { readonly accountId: string; readonly amount: number; readonly pending: number }
>;

export type RewardEvent = CreditApplied | CabinUpgraded | RewardAdded | RedemptionClosed | BookingFlown;
