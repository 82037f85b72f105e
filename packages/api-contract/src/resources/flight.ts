import { CABINS, MAX_FLIGHT_DECISIONS } from "@travel-booking/domain";
import { z } from "zod";
import {
  cents,
  currency,
  dayParameter,
  identifier,
  outputId,
  outputText,
  utcDateTime,
  wholeNumber,
} from "../fields.ts";
import type { Operation } from "../operation.ts";
import { listOf, pageParameters } from "./page.ts";

export const spaceport = z
  .string()
  .regex(/^[A-Z0-9]{2,8}$/, { error: "must be a spaceport code of 2 to 8 capital letters and digits" })
  .meta({ maxLength: 8 });

export const cabin = z.enum(CABINS).meta({
  id: "Cabin",
  description: "A cabin class, from the simplest to the finest.",
});

const fareSchema = z
  .strictObject({
    cabin,
    amount: cents.describe("The price per passenger, in cents."),
    currency,
    seatsLeft: wholeNumber.min(0).describe("How many seats are left at this fare."),
  })
  .meta({ id: "Fare", description: "What travelling in one cabin of a flight costs." });

export const flightSchema = z
  .strictObject({
    id: outputId.describe("Identifies the flight."),
    from: outputText(8).describe("The code of the spaceport it departs from."),
    destinationId: outputId.describe("The destination it goes to."),
    departsAt: utcDateTime.describe("When it departs."),
    durationDays: z.number().describe("How long the journey takes, in days."),
    fares: z.array(fareSchema).max(CABINS.length).describe("One per cabin, the cheapest first."),
  })
  .meta({ id: "Flight", description: "A scheduled flight with its fares and how many seats are left." });
export type FlightBody = z.infer<typeof flightSchema>;

const destinationId = identifier.describe("Only flights to this destination.");

export const flightListQuerySchema = z.strictObject({
  departsAfter: dayParameter.describe("The earliest day of departure, UTC.").optional(),
  departsBefore: dayParameter.describe("Only flights that depart before this day, UTC.").optional(),
  destinationId: destinationId.optional(),
  from: spaceport.describe("Only flights from the spaceport with this code.").optional(),
  cabin: cabin.describe("Only flights that have this cabin, full or not.").optional(),
  ...pageParameters,
});
export type FlightListQuery = z.infer<typeof flightListQuerySchema>;

/** The deprecated search: a bare array of at most `FLIGHT_SEARCH_LIMIT` flights, no pages. */
export const FLIGHT_SEARCH_LIMIT = 100;
export const flightSearchQuerySchema = z.strictObject({
  destinationId: destinationId.optional(),
  date: dayParameter.describe("Only flights that depart on this day, UTC.").optional(),
});
export type FlightSearchQuery = z.infer<typeof flightSearchQuerySchema>;

/** An operator's words to everybody. */
export const MAX_DISRUPTION_REASON = 500;

export const FLIGHT_STATUSES = ["scheduled", "retimed", "cancelled", "departed"] as const;

/** What a change has changed; null where the flight is no more. */
const changedSchema = z
  .strictObject({
    departsAt: utcDateTime.describe("When it departs."),
    durationDays: z.number().describe("How long the journey takes, in days."),
    cabins: z
      .array(z.strictObject({ cabin, seats: wholeNumber.min(0).describe("How many seats it sells.") }))
      .max(CABINS.length)
      .optional()
      .describe("The cabins of the ship, where that has changed."),
  })
  .meta({ id: "FlightTimes", description: "The times of a flight, and its ship where that has changed." });

const flightChangeSchema = z
  .strictObject({
    kind: outputText(32).describe(
      "What has happened: `retimed`, `equipment_changed` where it goes with another ship, `cancelled`, or `reinstated` where it departs after all.",
    ),
    revision: wholeNumber.min(1).describe("Of the flight from then on."),
    at: utcDateTime.describe("When the carrier decided it."),
    reason: outputText(MAX_DISRUPTION_REASON).nullable().describe("Why, in the carrier's words; else null."),
    before: changedSchema.nullable().describe("As it was; null: it was not to depart."),
    after: changedSchema.nullable().describe("As it is from then on; null: it does not depart."),
  })
  .meta({ id: "FlightChange", description: "A change of a flight by its carrier." });

export const flightStatusSchema = z
  .strictObject({
    flightId: outputId.describe("The flight."),
    status: z.enum(FLIGHT_STATUSES).meta({
      id: "FlightStatus",
      description: "Whether it is going to depart, at another time than it was scheduled for, never will, or has.",
    }),
    departsAt: utcDateTime.describe("When it departs, or would have."),
    originalDepartsAt: utcDateTime.describe("When it was to depart at first."),
    revision: wholeNumber.min(0).describe("How often the carrier has decided on it: 0 if never."),
    changes: z.array(flightChangeSchema).max(MAX_FLIGHT_DECISIONS).describe("Oldest first."),
  })
  .meta({ id: "FlightStatusReport", description: "Whether a flight goes as it was sold, and what has changed." });
export type FlightStatusBody = z.infer<typeof flightStatusSchema>;

export const NO_FLIGHT = { 404: ["flight_not_found"] } as const;

export const listFlightsOperation = {
  id: "listFlights",
  method: "GET",
  path: "/v1/flights",
  service: "query",
  tag: "Flights",
  summary: "List flights by departure time",
  description: "By departure time, then id. Without `departsAfter` past flights are listed, too.",
  scope: "flights:read",
  query: flightListQuerySchema,
  success: { status: 200, body: listOf(flightSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const searchFlightsOperation = {
  id: "searchFlights",
  method: "GET",
  path: "/v1/flights/search",
  service: "query",
  tag: "Flights",
  summary: "Search flights",
  scope: "flights:read",
  query: flightSearchQuerySchema,
  success: { status: 200, body: z.array(flightSchema).max(FLIGHT_SEARCH_LIMIT) },
  description:
    "The flights of a day, to a destination, or all of them: a bare array of at most a hundred, without pages.",
  deprecated: { since: "2026-11-01", sunset: "2027-11-01", successor: "/v1/flights" },
} as const satisfies Operation;

export const getFlightOperation = {
  id: "getFlight",
  method: "GET",
  path: "/v1/flights/{id}",
  service: "query",
  tag: "Flights",
  summary: "Get a flight with its fares and the seats left",
  description:
    "Also one that was cancelled, which no list has: nothing is left on it, and `Flight-Status` says so. It is `retimed` where the departure has moved.",
  scope: "flights:read",
  success: { status: 200, body: flightSchema, headers: ["Flight-Status"] },
  errors: NO_FLIGHT,
} as const satisfies Operation;

export const getFlightStatusOperation = {
  id: "getFlightStatus",
  method: "GET",
  path: "/v1/flights/{id}/status",
  service: "query",
  tag: "Flights",
  summary: "Get whether a flight goes as planned",
  scope: "flights:read",
  success: { status: 200, body: flightStatusSchema },
  errors: NO_FLIGHT,
} as const satisfies Operation;
