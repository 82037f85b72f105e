import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import type { BookingRejectionCode } from "../rejections.ts";
import { type BookingState, isExistingBooking } from "../state.ts";
import type { CloseRedemption } from "./commands.ts";
import type { RedemptionClosed } from "./events.ts";
import { findReward } from "./find-reward.ts";

/** Settles what became of a redemption for good: given before (`findReward`), or never to be. */
export function closeRedemption(
  { redemptionId }: CloseRedemption,
  state: BookingState,
  at: Instant,
): Decision<RedemptionClosed, BookingRejectionCode> {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (findReward(state, redemptionId) !== undefined || state.redemptionsClosed.includes(redemptionId)) return accept();
  return accept<RedemptionClosed>({ type: "RedemptionClosed", at, data: { redemptionId } });
}
