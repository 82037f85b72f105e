import { CLIMATES } from "@travel-booking/domain";
import { z } from "zod";
import { outputId, outputText } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { listOf, pageParameters } from "./page.ts";

export const climate = z.enum(CLIMATES).meta({ id: "Climate", description: "Typical conditions on the surface." });

export const MAX_DESTINATION_NAME = 200;

export const destinationSchema = z
  .strictObject({
    id: outputId.describe("Identifies the destination."),
    name: outputText(MAX_DESTINATION_NAME).describe("The name to display."),
    system: outputText(MAX_DESTINATION_NAME).describe("The star system it orbits in."),
    distanceLy: z.number().min(0).describe("Distance from Earth in light years."),
    gravity: z.number().describe("Relative to Earth, which is 1."),
    climate,
  })
  .meta({ id: "Destination", description: "A planet that can be travelled to." });
export type DestinationBody = z.infer<typeof destinationSchema>;

export const destinationListQuerySchema = z.strictObject({
  climate: climate.describe("Only destinations with this climate.").optional(),
  ...pageParameters,
});
export type DestinationListQuery = z.infer<typeof destinationListQuerySchema>;

export const listDestinationsOperation = {
  id: "listDestinations",
  method: "GET",
  path: "/v1/destinations",
  service: "query",
  tag: "Destinations",
  summary: "List destinations, newest first",
  scope: "flights:read",
  query: destinationListQuerySchema,
  success: { status: 200, body: listOf(destinationSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const getDestinationOperation = {
  id: "getDestination",
  method: "GET",
  path: "/v1/destinations/{id}",
  service: "query",
  tag: "Destinations",
  summary: "Get a destination",
  scope: "flights:read",
  success: { status: 200, body: destinationSchema },
  errors: { 404: ["destination_not_found"] },
} as const satisfies Operation;
