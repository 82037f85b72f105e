import { holdStatus, type Instant, type SeatHold } from "@travel-booking/domain";
import type { SeatHoldBody } from "../resources/seat-hold.ts";
import { timestamp } from "./timestamp.ts";

/** A seat hold as the public interface shows it at that moment: past `expiresAt` it reads as expired. */
export function seatHoldBody(flightId: string, hold: SeatHold, at: Instant): SeatHoldBody {
  return {
    id: hold.holdId,
    flightId,
    cabin: hold.cabin,
    seats: [...hold.seats],
    status: holdStatus(hold, at),
    createdAt: timestamp(hold.createdAt),
    expiresAt: timestamp(hold.expiresAt),
  };
}
