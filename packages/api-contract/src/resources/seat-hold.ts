import { CABINS, HOLD_STATUSES } from "@travel-booking/domain";
import { z } from "zod";
import { oneOf, strict } from "../fields/objects.ts";
import { utcDateTime } from "../fields/time.ts";
import { heldSeats } from "./seats.ts";

export const seatHoldSchema = strict({
  id: z.string(),
  flightId: z.string(),
  cabin: oneOf(CABINS),
  seats: z.array(z.string()),
  status: oneOf(HOLD_STATUSES),
  createdAt: utcDateTime,
  expiresAt: utcDateTime,
});
export type SeatHoldBody = z.infer<typeof seatHoldSchema>;

export const seatHoldRequestSchema = strict({ seats: heldSeats });
export type SeatHoldRequest = z.infer<typeof seatHoldRequestSchema>;
