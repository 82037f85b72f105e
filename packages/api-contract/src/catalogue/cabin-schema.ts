import { CABINS, SEAT_FEATURES } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { text } from "../fields/text.ts";
import { validationMessage } from "../fields/validation-message.ts";

const MAX_ROW = 999;
const MAX_DECK = 20;
/** Ten billion of the main unit: nine fares with all their surcharges still add up exactly. */
const MAX_AMOUNT = 1_000_000_000_000;

const rowNumber = wholeNumber.min(1).max(MAX_ROW);
const rowNumbers = z.array(rowNumber, { error: validationMessage }).optional();
const seatNumbers = z.array(text({ max: 16, blank: "refused" }), { error: validationMessage }).optional();

const amount = cents.max(MAX_AMOUNT);

/** Columns from left to right; one space is an aisle, as in `ABC DEF`. */
const layout = z
  .string({ error: validationMessage })
  .max(40, { error: "must have at most 40 characters", abort: true })
  .regex(/^[A-Z]+(?: [A-Z]+)*$/, {
    error: "must be columns A to Z with single spaces for aisles, such as ABC DEF",
    abort: true,
  });

/** One cabin of a flight in the catalogue file. Amounts in cents. */
export const catalogueCabinSchema = strictObject({
  cabin: oneOf(CABINS),
  deck: wholeNumber.min(1).max(MAX_DECK),
  amount,
  currency,
  layout,
  /** First and last row, both included. */
  rows: z.tuple([rowNumber, rowNumber], { error: validationMessage }),
  exitRows: rowNumbers,
  cryosleepRows: rowNumbers,
  quietRows: rowNumbers,
  accessible: seatNumbers,
  blocked: seatNumbers,
  surcharges: z.partialRecord(oneOf(SEAT_FEATURES), amount, { error: validationMessage }).optional(),
});
export type CatalogueCabin = z.infer<typeof catalogueCabinSchema>;
