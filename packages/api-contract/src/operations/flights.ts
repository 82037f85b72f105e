import { z } from "zod";
import type { Operation } from "../operation.ts";
import {
  FLIGHT_SEARCH_LIMIT,
  flightListQuerySchema,
  flightSchema,
  flightSearchQuerySchema,
} from "../resources/flight.ts";
import { listOf } from "../resources/page.ts";
import { seatMapSchema } from "../resources/seat-map.ts";

const NO_FLIGHT = { 404: "There is no flight with this id." };

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
} as const satisfies Operation;

/** Stands before `getFlight` in every list: its path would match that template too. */
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
  scope: "flights:read",
  success: { status: 200, body: flightSchema },
  errors: NO_FLIGHT,
} as const satisfies Operation;

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
