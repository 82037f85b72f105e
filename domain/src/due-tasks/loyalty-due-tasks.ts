import type { BookingEvent, CreditGivenUp } from "../booking/events.ts";
import type { LoyaltyEvent } from "../loyalty/events.ts";
import { pointsFor } from "../loyalty/rules.ts";
import type { Instant } from "../shared/decision.ts";
import { type DueTask, type DueTaskChanges, dueTaskKey } from "./due-task.ts";
import { FOLLOW_UP_GRACE, RECOVERY_GRACE } from "./due-task-changes.ts";

const NONE: DueTaskChanges = { opened: [], closed: [] };

/** What an event of the booking `bookingId` opens and closes of what its account is owed in points and credit. */
export function loyaltyDueTasksOfBooking(bookingId: string, event: BookingEvent): DueTaskChanges {
  const earning = dueTaskKey("earn_points", bookingId);
  const claim = dueTaskKey("settle_credit_claim", bookingId);
  switch (event.type) {
    case "BookingCreated":
      return {
        opened: [keyed({ kind: "earn_points", bookingId, dueAt: event.data.departsAt }, bookingId)],
        // Made without credit it has not used what another attempt may have claimed for it.
        closed: event.data.creditApplied > 0 ? [claim] : [],
      };
    case "BookingChanged":
    case "CabinUpgraded":
      return { opened: returnCreditTasks(bookingId, event.data.creditGivenUp, event.at), closed: [] };
    case "BookingCancelled": {
      const { creditGivenUp, keepsPoints } = event.data;
      return {
        opened: returnCreditTasks(bookingId, creditGivenUp, event.at),
        closed: keepsPoints === true ? [] : [earning],
      };
    }
    case "BookingFlown":
      return pointsFor(event.data.amount) === 0 && event.data.pending === 0 ? { opened: [], closed: [earning] } : NONE;
    case "RefundStarted": {
      const { refundId, departed } = event.data;
      if (departed !== true) return NONE;
      const reversal = { kind: "reverse_points", bookingId, refundId, dueAt: event.at + FOLLOW_UP_GRACE } as const;
      return { opened: [keyed(reversal, refundId)], closed: [] };
    }
    default:
      return NONE;
  }
}

/** What an event of a loyalty account opens and closes. */
export function dueTasksOfLoyalty(event: LoyaltyEvent): DueTaskChanges {
  switch (event.type) {
    case "PointsEarned": {
      const { accountId, bookingId, expiresAt, refundIds, posting } = event.data;
      return {
        opened: posting === null ? [] : [expirePointsTask(accountId, expiresAt)],
        closed: [dueTaskKey("earn_points", bookingId), ...reversals(refundIds)],
      };
    }
    case "PointsReversed":
      return { opened: [], closed: reversals(event.data.refundIds) };
    case "PointsAdjusted": {
      const { accountId, expiresAt } = event.data;
      return { opened: expiresAt === null ? [] : [expirePointsTask(accountId, expiresAt)], closed: [] };
    }
    case "PointsExpired": {
      const { accountId, expiresAt } = event.data;
      return { opened: [], closed: [expirePointsTask(accountId, expiresAt).key] };
    }
    case "PointsSetAside": {
      const { accountId, redemptionId, bookingId } = event.data;
      const dueAt = event.at + RECOVERY_GRACE;
      return {
        opened: [keyed({ kind: "finish_redemption", accountId, redemptionId, bookingId, dueAt }, redemptionId)],
        closed: [],
      };
    }
    case "PointsRedeemed":
    case "PointsFreed":
      return { opened: [], closed: [dueTaskKey("finish_redemption", event.data.redemptionId)] };
    case "CreditClaimed": {
      const { accountId, bookingId } = event.data;
      const dueAt = event.at + RECOVERY_GRACE;
      return { opened: [keyed({ kind: "settle_credit_claim", accountId, bookingId, dueAt }, bookingId)], closed: [] };
    }
    case "CreditReturned": {
      const { creditId, bookingId } = event.data;
      return {
        opened: [],
        closed: [dueTaskKey("return_credit", creditId), dueTaskKey("settle_credit_claim", bookingId)],
      };
    }
    default:
      return NONE;
  }
}

function returnCreditTasks(
  bookingId: string,
  credit: CreditGivenUp | undefined,
  dueAt: Instant,
): DueTaskChanges["opened"] {
  return credit === undefined ? [] : [keyed({ kind: "return_credit", bookingId, ...credit, dueAt }, credit.creditId)];
}

/** One for all that expires at the same moment. */
function expirePointsTask(accountId: string, expiresAt: Instant) {
  return keyed({ kind: "expire_points", accountId, dueAt: expiresAt }, `${accountId}/${expiresAt}`);
}

function reversals(refundIds: readonly string[]): readonly string[] {
  return refundIds.map((refundId) => dueTaskKey("reverse_points", refundId));
}

function keyed(dueTask: DueTask, subjectId: string) {
  return { key: dueTaskKey(dueTask.kind, subjectId), dueTask };
}
