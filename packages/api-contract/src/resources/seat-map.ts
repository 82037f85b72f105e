import {
  aislesOf,
  CABINS,
  type CabinPlan,
  columnsOf,
  type Instant,
  type RecordedSeats,
  rowsOf,
  SEAT_FEATURES,
  SEAT_STATUSES,
  seatStatus,
} from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, outputId, outputText, text, wholeNumber } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { cabin, NO_FLIGHT } from "./flight.ts";

/** Columns are letters from A to Z. */
const MAX_COLUMNS = 26;
export const MAX_ROWS = 999;

const MAX_SEAT_NUMBER = 16;
/** A seat in a request: any short text, because a seat that is not on the flight gets a 422. */
export const seatNumber = text({ max: MAX_SEAT_NUMBER, blank: "refused" });
export const outputSeatNumber = outputText(MAX_SEAT_NUMBER);

const seatFeature = z.enum(SEAT_FEATURES).meta({ id: "SeatFeature", description: "What a seat has or is." });

const seatSchema = z
  .strictObject({
    number: outputSeatNumber.describe("Row and column, as printed beside the seat."),
    status: z
      .enum(SEAT_STATUSES)
      .meta({ id: "SeatStatus", description: "Whether the seat can be held: only an `available` one can." }),
    features: z.array(seatFeature).max(SEAT_FEATURES.length).describe("What is special about the seat."),
    price: cents.describe("What this seat costs beyond the fare of its cabin, in cents; 0: nothing."),
    currency,
  })
  .meta({ id: "Seat", description: "A seat and whether it can be had." });

const seatRowSchema = z
  .strictObject({
    number: wholeNumber.min(1).max(MAX_ROWS).describe("The row's number."),
    seats: z.array(seatSchema).max(MAX_COLUMNS).describe("From left to right."),
  })
  .meta({ id: "SeatRow", description: "The seats of one row." });

const cabinMapSchema = z
  .strictObject({
    cabin,
    deck: wholeNumber.describe("The deck the cabin is on."),
    columns: z.array(outputText(1).describe("A column's letter.")).max(MAX_COLUMNS).describe("From left to right."),
    aisles: z
      .array(wholeNumber)
      .max(MAX_COLUMNS)
      .describe("One entry per aisle: how many columns lie to the left of it."),
    rows: z.array(seatRowSchema).max(MAX_ROWS).describe("From front to rear."),
  })
  .meta({ id: "CabinMap", description: "The seats of one cabin." });

export const seatMapSchema = z
  .strictObject({
    flightId: outputId.describe("The flight whose seats these are."),
    cabins: z.array(cabinMapSchema).max(CABINS.length).describe("The cabins of the flight."),
  })
  .meta({ id: "SeatMap", description: "The seats of a flight at this moment." });
export type SeatMapBody = z.infer<typeof seatMapSchema>;

type CabinBody = SeatMapBody["cabins"][number];
type RowBody = CabinBody["rows"][number];

/** The rows of a cabin at that moment, made as they are asked for: a cabin may have very many. */
export function* seatRows(recorded: RecordedSeats, plan: CabinPlan, at: Instant): Generator<RowBody> {
  for (const { row: number, seats } of rowsOf(plan)) {
    yield {
      number,
      seats: seats.map(({ number: seat, features, price }) => {
        const status = seatStatus(recorded, plan.cabin, seat, at);
        return { number: seat, status, features: [...features], price, currency: plan.currency };
      }),
    };
  }
}

/** What a cabin is beside its rows. */
export function cabinBody(plan: CabinPlan): Omit<CabinBody, "rows"> {
  const { cabin, deck } = plan;
  return { cabin, deck, columns: [...columnsOf(plan)], aisles: [...aislesOf(plan)] };
}

export const getSeatMapOperation = {
  id: "getSeatMap",
  method: "GET",
  path: "/v1/flights/{id}/seat-map",
  service: "query",
  tag: "Flights",
  summary: "Get the seat map of a flight",
  description: "What each seat costs beyond the fare, and whether it can be had. Only an `available` one can be held.",
  scope: "flights:read",
  success: { status: 200, body: seatMapSchema, tagged: true },
  errors: NO_FLIGHT,
} as const satisfies Operation;
