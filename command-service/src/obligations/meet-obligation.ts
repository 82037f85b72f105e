import { exhausted, flightDecider, type Obligation } from "@travel-booking/domain";
import { reviewDocument } from "../documents/review-document.ts";
import { returnCredit, settleCreditClaim } from "../loyalty/credit.ts";
import { expirePoints } from "../loyalty/expire-points.ts";
import { finishRedemption } from "../loyalty/finish-redemption.ts";
import { postBooking } from "../loyalty/post-booking.ts";
import { assignSeatsOwed } from "../policies/assign-seats.ts";
import { closePayment, expireBooking } from "../policies/close-payments.ts";
import { finishSeatChange } from "../policies/finish-seat-change.ts";
import { reclaimAllocation } from "../policies/reclaim-allocation.ts";
import { releaseCancelled } from "../policies/release-cancelled.ts";
import { sendRefund, settleRefund } from "../policies/send-refunds.ts";
import { releaseEmail, settleEmailClaim } from "../policies/settle-email-claim.ts";
import { systemContext } from "../policies/system-context.ts";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/**
 * Does what an obligation asks for. Harmless to repeat, and to do where it is already done.
 * @returns the log position from which on the list shows it done.
 */
export async function meetObligation(services: CommandServices, obligation: Obligation): Promise<bigint> {
  switch (obligation.kind) {
    case "expire_hold":
      return expireHolds(services, obligation.flightId);
    case "claim_allocation":
      return reclaimAllocation(services, obligation.flightId, obligation.bookingId);
    case "finish_seat_change":
      return finishSeatChange(services, obligation.flightId, obligation.bookingId, obligation.changeId);
    case "expire_booking":
      return expireBooking(services, obligation.bookingId);
    case "close_payment":
      return closePayment(services, obligation.bookingId, obligation.paymentId);
    case "send_refund":
      return (await sendRefund(services, obligation.bookingId, obligation)).position;
    case "settle_refund":
      return (await settleRefund(services, systemContext(services), obligation.bookingId, obligation.refundId))
        .position;
    case "assign_seats":
      return assignSeatsOwed(services, obligation.bookingId);
    case "settle_email_claim":
      return settleEmailClaim(services, obligation);
    case "release_email":
      return releaseEmail(services, systemContext(services), obligation);
    case "earn_points":
    case "reverse_points":
      return postBooking(services, obligation.bookingId);
    case "expire_points":
      return expirePoints(services, obligation.accountId);
    case "finish_redemption":
      return (await finishRedemption(services, obligation)).position;
    case "settle_credit_claim":
      return settleCreditClaim(services, obligation.accountId, obligation.bookingId);
    case "return_credit":
      return returnCredit(services, obligation.bookingId, obligation);
    case "review_document":
      return (await reviewDocument(services, obligation, 1)).position;
    case "release_seats":
      return releaseCancelled(services, obligation.bookingId);
    default:
      return exhausted(obligation);
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
