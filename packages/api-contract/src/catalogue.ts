import { CABINS, type CabinPlan, CLIMATES, type FlightPlan, planProblems, SEAT_FEATURES } from "@travel-booking/domain";
import { z } from "zod";
import { cents, dateTime, knownCurrency, text, wholeNumber } from "./fields.ts";
import { operations } from "./operations.ts";
import { MAX_DESTINATION_NAME } from "./resources/destination.ts";
import { spaceport } from "./resources/flight.ts";
import { MAX_ROWS, seatNumber } from "./resources/seat-map.ts";

const PATH_PARTS: ReadonlySet<string> = new Set(operations.flatMap(({ path }) => path.split("/")));

/** Ids of the catalogue are parts of URLs and of keys in stores. */
const catalogueId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/, {
    error: "must be 1 to 64 letters, digits or any of . _ ~ -, the first a letter or digit",
    abort: true,
  })
  .refine((id) => !PATH_PARTS.has(id), {
    error: ({ input }) => `must not be ${input}, a fixed part of the interface's paths`,
  });

/** A hundred years. */
const MAX_DURATION_DAYS = 36_525;

const MAX_DECK = 20;
const MAX_LAYOUT = 40;
/** Ten billion of the main unit: nine fares with all surcharges still add up exactly. */
export const MAX_AMOUNT = 1_000_000_000_000;

const rowNumber = wholeNumber.min(1).max(MAX_ROWS);
const rowNumbers = z.array(rowNumber).optional();
const seatNumbers = z.array(seatNumber).optional();

const amount = cents.max(MAX_AMOUNT);

/** Columns from left to right. One space is an aisle, as in `ABC DEF`. */
const layout = z
  .string()
  .max(MAX_LAYOUT, { abort: true })
  .regex(/^[A-Z]+(?: [A-Z]+)*$/, {
    error: "must be columns A to Z with single spaces for aisles, such as ABC DEF",
    abort: true,
  });

/** Amounts in cents. */
const catalogueCabinSchema = z.strictObject({
  cabin: z.enum(CABINS),
  deck: wholeNumber.min(1).max(MAX_DECK),
  amount,
  currency: knownCurrency,
  layout,
  /** First and last row, both included. */
  rows: z.tuple([rowNumber, rowNumber]),
  exitRows: rowNumbers,
  cryosleepRows: rowNumbers,
  quietRows: rowNumbers,
  accessible: seatNumbers,
  blocked: seatNumbers,
  surcharges: z.partialRecord(z.enum(SEAT_FEATURES), amount).optional(),
});
export type CatalogueCabin = z.infer<typeof catalogueCabinSchema>;

/** How long a journey takes. */
export const durationDays = z.number().gt(0).max(MAX_DURATION_DAYS);

const catalogueFlightFields = z.strictObject({
  id: catalogueId,
  /** Code of the spaceport. */
  from: spaceport,
  destinationId: catalogueId,
  departsAt: dateTime,
  durationDays,
  cabins: z.array(catalogueCabinSchema).min(1),
});
export type CatalogueFlight = z.infer<typeof catalogueFlightFields>;

/** Another ship for a flight, as an operator sends it. */
export const shipSchema = catalogueFlightFields.pick({ cabins: true });

export function toCabinPlan(cabin: CatalogueCabin): CabinPlan {
  return {
    cabin: cabin.cabin,
    deck: cabin.deck,
    amount: cabin.amount,
    currency: cabin.currency,
    layout: cabin.layout,
    rows: cabin.rows,
    exitRows: cabin.exitRows ?? [],
    cryosleepRows: cabin.cryosleepRows ?? [],
    quietRows: cabin.quietRows ?? [],
    accessible: cabin.accessible ?? [],
    blocked: cabin.blocked ?? [],
    surcharges: SEAT_FEATURES.flatMap((feature) => {
      const amount = cabin.surcharges?.[feature];
      return amount === undefined ? [] : [{ feature, amount }];
    }),
  };
}

/** Equal flights give equal plans, whatever the order of their fields in the file. */
export function toFlightPlan(flight: CatalogueFlight): FlightPlan {
  return {
    flightId: flight.id,
    from: flight.from,
    destinationId: flight.destinationId,
    departsAt: Date.parse(flight.departsAt),
    durationDays: flight.durationDays,
    cabins: flight.cabins.map(toCabinPlan),
  };
}

const name = text({ max: MAX_DESTINATION_NAME, blank: "refused", line: true });

const catalogueDestinationSchema = z.strictObject({
  id: catalogueId,
  name,
  system: name,
  /** Light years from Earth. */
  distanceLy: z.number().min(0),
  /** Earth is 1. */
  gravity: z.number().gt(0),
  climate: z.enum(CLIMATES),
});
export type CatalogueDestination = z.infer<typeof catalogueDestinationSchema>;

/** Checked also by the domain's rules against cabins that contradict each other. */
const catalogueFlightSchema = catalogueFlightFields.check((context) => {
  for (const problem of planProblems(toFlightPlan(context.value))) {
    context.issues.push({ code: "custom", message: `contradicts itself: ${problem}`, input: context.value });
  }
});

/** A list without duplicate ids. The problem names the later of two equal ids. */
function uniqueIds<Entry extends z.ZodType<{ readonly id: string }>>(entry: Entry) {
  return z.array(entry).check((context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of context.value.entries()) {
      if (seen.has(id))
        context.issues.push({ code: "custom", path: [index, "id"], message: "is in the file twice", input: id });
      seen.add(id);
    }
  });
}

/** The file of `catalogue import` (docs/rules.md#catalogue-file). A flight may name a destination imported earlier. */
export const catalogueFile = z.strictObject({
  destinations: uniqueIds(catalogueDestinationSchema),
  flights: uniqueIds(catalogueFlightSchema),
});
export type CatalogueFile = z.infer<typeof catalogueFile>;
