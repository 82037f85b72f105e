import { HOLD_STATUSES, MAX_SEATS_PER_HOLD } from "@travel-booking/domain";
import { z } from "zod";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";
import { cabin } from "./cabin.ts";
import { heldSeats } from "./seats.ts";

export const seatHoldSchema = strictObject({
  id: outputId.describe("Identifies the hold; goes as `holdId` with a booking."),
  flightId: outputId.describe("The flight whose seats are held."),
  cabin,
  seats: z.array(outputText(16).describe("A seat number.")).max(MAX_SEATS_PER_HOLD).describe("The seat numbers held."),
  status: oneOf(HOLD_STATUSES).describe("`active` until used on a booking, given back or expired."),
  createdAt: utcDateTime.describe("When the seats were held."),
  expiresAt: utcDateTime.describe("When the seats go back if the hold is unused."),
}).meta({ id: "SeatHold", description: "Seats that nobody else can have for a quarter of an hour." });
export type SeatHoldBody = z.infer<typeof seatHoldSchema>;

export const seatHoldRequestSchema = strictObject({ seats: heldSeats }).meta({
  id: "CreateSeatHold",
  description: "The seats to hold: all of them or none.",
});
export type SeatHoldRequest = z.infer<typeof seatHoldRequestSchema>;
