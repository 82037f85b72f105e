import { CABINS, SEAT_FEATURES } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";
import { text } from "../fields/text.ts";

const HIGHEST_ROW = 999;
const HIGHEST_DECK = 20;
/** Ten billion of the main unit: nine fares with all their surcharges still add up exactly. */
const HIGHEST_AMOUNT = 1_000_000_000_000;

const rowNumber = wholeNumber.min(1).max(HIGHEST_ROW);
const rowNumbers = z.array(rowNumber, { error: phrase }).optional();
const seatNumbers = z.array(text({ max: 16, blank: "refused" }), { error: phrase }).optional();

const amount = cents.max(HIGHEST_AMOUNT);

/** Columns from left to right; one space is an aisle, as in `ABC DEF`. */
const layout = z
  .string({ error: phrase })
  .max(40, { error: "must have at most 40 characters", abort: true })
  .regex(/^[A-Z]+(?: [A-Z]+)*$/, {
    error: "must be columns A to Z with single spaces for aisles, such as ABC DEF",
    abort: true,
  });

/** One cabin of a flight in the catalogue file. Amounts in cents. */
export const catalogueCabinSchema = strict({
  cabin: oneOf(CABINS),
  deck: wholeNumber.min(1).max(HIGHEST_DECK),
  amount,
  currency,
  layout,
  /** First and last row, both included. */
  rows: z.tuple([rowNumber, rowNumber], { error: phrase }),
  exitRows: rowNumbers,
  cryosleepRows: rowNumbers,
  quietRows: rowNumbers,
  accessible: seatNumbers,
  blocked: seatNumbers,
  surcharges: z.partialRecord(oneOf(SEAT_FEATURES), amount, { error: phrase }).optional(),
});
export type CatalogueCabin = z.infer<typeof catalogueCabinSchema>;
