import { CABINS } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { identifier } from "../fields/text.ts";
import { dayParameter, utcDateTime } from "../fields/time.ts";
import { pageParameters } from "./page.ts";

export const fareSchema = strict({
  cabin: oneOf(CABINS),
  amount: cents,
  currency,
  seatsLeft: wholeNumber.min(0),
});
export type FareBody = z.infer<typeof fareSchema>;

export const flightSchema = strict({
  id: z.string(),
  from: z.string(),
  destinationId: z.string(),
  departsAt: utcDateTime,
  durationDays: z.number(),
  /** Cheapest first. */
  fares: z.array(fareSchema),
});
export type FlightBody = z.infer<typeof flightSchema>;

export const flightListQuerySchema = strict({
  departsAfter: dayParameter.optional(),
  destinationId: identifier.optional(),
  ...pageParameters,
});
export type FlightListQuery = z.infer<typeof flightListQuerySchema>;

/** The deprecated search: a bare array of at most `FLIGHT_SEARCH_LIMIT` flights, no pages. */
export const FLIGHT_SEARCH_LIMIT = 100;
export const flightSearchQuerySchema = strict({
  destinationId: identifier.optional(),
  date: dayParameter.optional(),
});
export type FlightSearchQuery = z.infer<typeof flightSearchQuerySchema>;
