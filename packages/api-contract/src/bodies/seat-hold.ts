import { holdStatus, type Instant, type SeatHold } from "@travel-booking/domain";
import type { SeatHoldBody } from "../resources/seat-hold.ts";
import { timestamp } from "./timestamp.ts";

type ShownHold = Pick<SeatHold, "holdId" | "cabin" | "seats" | "status" | "createdAt" | "expiresAt">;

/** A hold at that moment. After `expiresAt` it is shown as expired, even if no event has recorded that yet. */
export function seatHoldBody(flightId: string, hold: ShownHold, at: Instant): SeatHoldBody {
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
