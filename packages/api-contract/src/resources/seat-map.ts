import { CABINS, SEAT_FEATURES, SEAT_STATUSES } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { cabin } from "./cabin.ts";

/** What a layout of the catalogue may hold: columns A to Z, and as many rows as a plan may have. */
const MAX_COLUMNS = 26;
const MAX_ROWS = 999;

export const seatSchema = strictObject({
  number: outputText(16).describe("Row and column, as printed beside the seat."),
  status: oneOf(SEAT_STATUSES).describe("Whether the seat can be held: only an `available` one can."),
  features: z.array(oneOf(SEAT_FEATURES)).max(SEAT_FEATURES.length).describe("What is special about the seat."),
  price: cents.describe("What choosing this seat adds to the fare, in cents."),
  currency,
}).meta({ id: "Seat", description: "A seat and whether it can be had." });

export const seatRowSchema = strictObject({
  number: wholeNumber.min(1).max(MAX_ROWS).describe("The row's number."),
  seats: z.array(seatSchema).max(MAX_COLUMNS).describe("From left to right."),
}).meta({ id: "SeatRow", description: "The seats of one row." });

export const cabinMapSchema = strictObject({
  cabin,
  deck: wholeNumber.describe("The deck the cabin is on."),
  columns: z.array(outputText(1).describe("A column's letter.")).max(MAX_COLUMNS).describe("From left to right."),
  aisles: z
    .array(wholeNumber)
    .max(MAX_COLUMNS)
    .describe("One entry per aisle: how many columns lie to the left of it."),
  rows: z.array(seatRowSchema).max(MAX_ROWS).describe("From front to rear."),
}).meta({ id: "CabinMap", description: "The seats of one cabin." });

export const seatMapSchema = strictObject({
  flightId: outputId.describe("The flight whose seats these are."),
  cabins: z.array(cabinMapSchema).max(CABINS.length).describe("The cabins of the flight."),
}).meta({ id: "SeatMap", description: "The seats of a flight at this moment." });
export type SeatMapBody = z.infer<typeof seatMapSchema>;
