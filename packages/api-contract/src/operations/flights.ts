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
  summary: "List flights by departure time",
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
  summary: "Search flights by destination and day; succeeded by the list of flights",
  scope: "flights:read",
  query: flightSearchQuerySchema,
  success: { status: 200, body: z.array(flightSchema).max(FLIGHT_SEARCH_LIMIT) },
  deprecated: true,
} as const satisfies Operation;

export const getFlightOperation = {
  id: "getFlight",
  method: "GET",
  path: "/v1/flights/{id}",
  service: "query",
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
  summary: "Get the seat map of a flight",
  scope: "flights:read",
  success: { status: 200, body: seatMapSchema },
  errors: NO_FLIGHT,
} as const satisfies Operation;
