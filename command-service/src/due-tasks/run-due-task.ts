import { assertNever, type DueTask, flightDecider } from "@travel-booking/domain";
import { reviewDocument } from "../documents/review-document.ts";
import { returnCredit, settleCreditClaim } from "../loyalty/credit.ts";
import { expirePoints } from "../loyalty/expire-points.ts";
import { finishRedemption } from "../loyalty/finish-redemption.ts";
import { postBookingPoints } from "../loyalty/post-booking-points.ts";
import { assignSeatsDueTask } from "../processes/assign-seats.ts";
import { closePayment, expireBooking } from "../processes/close-payments.ts";
import { finishSeatChange } from "../processes/finish-seat-change.ts";
import { reclaimAllocation } from "../processes/reclaim-allocation.ts";
import { releaseCancelledAllocation } from "../processes/release-cancelled-allocation.ts";
import { sendRefund, settleRefund } from "../processes/send-refunds.ts";
import { releaseEmail, settleEmailClaim } from "../processes/settle-email-claim.ts";
import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/**
 * Does what an obligation asks for. Harmless to repeat, and to do where it is already done.
 * @returns the log position from which on the list shows it done.
 */
export async function runDueTask(services: CommandServices, task: DueTask): Promise<bigint> {
  switch (task.kind) {
    case "expire_hold":
      return expireHolds(services, task.flightId);
    case "claim_allocation":
      return reclaimAllocation(services, task.flightId, task.bookingId);
    case "finish_seat_change":
      return finishSeatChange(services, task.flightId, task.bookingId, task.changeId);
    case "expire_booking":
      return expireBooking(services, task.bookingId);
    case "close_payment":
      return closePayment(services, task.bookingId, task.paymentId);
    case "send_refund":
      return (await sendRefund(services, task.bookingId, task)).position;
    case "settle_refund":
      return (await settleRefund(services, systemContext(services), task.bookingId, task.refundId)).position;
    case "assign_seats":
      return assignSeatsDueTask(services, task.bookingId);
    case "settle_email_claim":
      return settleEmailClaim(services, task);
    case "release_email":
      return releaseEmail(services, systemContext(services), task);
    case "earn_points":
    case "reverse_points":
      return postBookingPoints(services, task.bookingId);
    case "expire_points":
      return expirePoints(services, task.accountId);
    case "finish_redemption":
      return (await finishRedemption(services, task)).position;
    case "settle_credit_claim":
      return settleCreditClaim(services, task.accountId, task.bookingId);
    case "return_credit":
      return returnCredit(services, task.bookingId, task);
    case "review_document":
      return (await reviewDocument(services, task, 1)).position;
    case "release_seats":
      return releaseCancelledAllocation(services, task.bookingId);
    default:
      return assertNever(task);
  }
}

async function expireHolds(services: CommandServices, flightId: string): Promise<bigint> {
  const outcome = await services.handler.execute({
    stream: flightStream(flightId),
    decider: flightDecider,
    command: { type: "ExpireHolds" },
    context: systemContext(services),
    reply: () => undefined,
  });
  return outcome.position;
}
