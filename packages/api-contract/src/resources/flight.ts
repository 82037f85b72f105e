import { CABINS } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { strictObject } from "../fields/objects.ts";
import { identifier, outputId, outputText } from "../fields/text.ts";
import { dayParameter, utcDateTime } from "../fields/time.ts";
import { cabin } from "./cabin.ts";
import { pageParameters } from "./page.ts";

export const fareSchema = strictObject({
  cabin,
  amount: cents.describe("The price per passenger, in cents."),
  currency,
  seatsLeft: wholeNumber.min(0).describe("How many seats are left at this fare."),
}).meta({ id: "Fare", description: "What travelling in one cabin of a flight costs." });
export type FareBody = z.infer<typeof fareSchema>;

export const flightSchema = strictObject({
  id: outputId.describe("Identifies the flight."),
  from: outputText(8).describe("The code of the spaceport it departs from."),
  destinationId: outputId.describe("The destination it goes to."),
  departsAt: utcDateTime.describe("When it departs."),
  durationDays: z.number().describe("How long the journey takes, in days."),
  fares: z.array(fareSchema).max(CABINS.length).describe("One per cabin, the cheapest first."),
}).meta({ id: "Flight", description: "A scheduled flight with its fares and how many seats are left." });
export type FlightBody = z.infer<typeof flightSchema>;

const destinationId = identifier.describe("Only flights to this destination.");

export const flightListQuerySchema = strictObject({
  departsAfter: dayParameter.describe("The earliest day of departure, UTC.").optional(),
  destinationId: destinationId.optional(),
  ...pageParameters,
});
export type FlightListQuery = z.infer<typeof flightListQuerySchema>;

/** The deprecated search: a bare array of at most `FLIGHT_SEARCH_LIMIT` flights, no pages. */
export const FLIGHT_SEARCH_LIMIT = 100;
export const flightSearchQuerySchema = strictObject({
  destinationId: destinationId.optional(),
  date: dayParameter.describe("Only flights that depart on this day, UTC.").optional(),
});
export type FlightSearchQuery = z.infer<typeof flightSearchQuerySchema>;
