import type { PassengerEmailClaim } from "../passenger/passenger-email.ts";
import type { Instant } from "../shared/decision.ts";

/**
 * Something that must happen after an event: because time passes (a hold expires) or because one aggregate has
 * decided and another must follow (a cancelled booking's seats go back). It stands in a list ordered by due time
 * until the event that shows it done, so whatever a crash interrupts is still on the list.
 */
export type DueTask =
  | { readonly kind: "expire_hold"; readonly flightId: string; readonly holdId: string; readonly dueAt: Instant }
  | {
      readonly kind: "claim_allocation";
      readonly flightId: string;
      readonly bookingId: string;
      readonly dueAt: Instant;
    }
  | {
      readonly kind: "finish_seat_change";
      readonly flightId: string;
      readonly bookingId: string;
      readonly changeId: string;
      readonly dueAt: Instant;
    }
  | { readonly kind: "expire_booking"; readonly bookingId: string; readonly dueAt: Instant }
  | { readonly kind: "close_payment"; readonly bookingId: string; readonly paymentId: string; readonly dueAt: Instant }
  | {
      readonly kind: "send_refund";
      readonly bookingId: string;
      readonly refundId: string;
      readonly paymentId: string;
      readonly amount: number;
      readonly currency: string;
      readonly dueAt: Instant;
    }
  | { readonly kind: "settle_refund"; readonly bookingId: string; readonly refundId: string; readonly dueAt: Instant }
  | {
      readonly kind: "review_document";
      readonly bookingId: string;
      readonly documentId: string;
      /** Whose upload it was; accounts take turns. */
      readonly accountId: string | null;
      readonly dueAt: Instant;
    }
  | { readonly kind: "earn_points"; readonly bookingId: string; readonly dueAt: Instant }
  | { readonly kind: "reverse_points"; readonly bookingId: string; readonly refundId: string; readonly dueAt: Instant }
  | { readonly kind: "expire_points"; readonly accountId: string; readonly dueAt: Instant }
  | {
      readonly kind: "finish_redemption";
      readonly accountId: string;
      readonly redemptionId: string;
      readonly bookingId: string;
      readonly dueAt: Instant;
    }
  | {
      readonly kind: "settle_credit_claim";
      readonly accountId: string;
      readonly bookingId: string;
      readonly dueAt: Instant;
    }
  | {
      readonly kind: "return_credit";
      readonly accountId: string;
      readonly creditId: string;
      readonly bookingId: string;
      readonly amount: number;
      readonly dueAt: Instant;
    }
  | { readonly kind: "assign_seats"; readonly bookingId: string; readonly dueAt: Instant }
  | ({ readonly kind: "settle_email_claim"; readonly dueAt: Instant } & PassengerEmailClaim)
  | ({ readonly kind: "release_email"; readonly dueAt: Instant } & PassengerEmailClaim)
  | { readonly kind: "release_seats"; readonly bookingId: string; readonly dueAt: Instant };

export type DueTaskKind = DueTask["kind"];

/** What an event opens, and which open obligations it shows done, by their keys. */
export interface DueTaskChanges {
  readonly opened: readonly { readonly key: string; readonly dueTask: DueTask }[];
  readonly closed: readonly string[];
}

/** Names one task: its kind and the one thing it is about. */
export function dueTaskKey(kind: DueTaskKind, subjectId: string): string {
  return `${kind}/${subjectId}`;
}
