import { CABINS, SEAT_FEATURES, SEAT_STATUSES } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";

export const seatSchema = strict({
  number: z.string(),
  status: oneOf(SEAT_STATUSES),
  features: z.array(oneOf(SEAT_FEATURES)),
  /** The surcharge, cents. */
  price: cents,
  currency,
});

export const seatMapSchema = strict({
  flightId: z.string(),
  cabins: z.array(
    strict({
      cabin: oneOf(CABINS),
      deck: wholeNumber,
      /** From left to right. */
      columns: z.array(z.string()),
      /** One entry per aisle: how many columns lie to the left of it. */
      aisles: z.array(wholeNumber),
      rows: z.array(strict({ number: wholeNumber, seats: z.array(seatSchema) })),
    }),
  ),
});
export type SeatMapBody = z.infer<typeof seatMapSchema>;
