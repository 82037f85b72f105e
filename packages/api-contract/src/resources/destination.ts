import { CLIMATES } from "@travel-booking/domain";
import { z } from "zod";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { pageParameters } from "./page.ts";

export const climate = oneOf(CLIMATES).meta({ id: "Climate", description: "Typical conditions on the surface." });

export const destinationSchema = strictObject({
  id: outputId.describe("Identifies the destination."),
  name: outputText(200).describe("The name to display."),
  system: outputText(200).describe("The star system it orbits in."),
  distanceLy: z.number().min(0).describe("Distance from Earth in light years."),
  gravity: z.number().describe("Relative to Earth, which is 1."),
  climate,
}).meta({ id: "Destination", description: "A planet that can be travelled to." });
export type DestinationBody = z.infer<typeof destinationSchema>;

export const destinationListQuerySchema = strictObject({
  climate: oneOf(CLIMATES).describe("Only destinations with this climate.").optional(),
  ...pageParameters,
});
export type DestinationListQuery = z.infer<typeof destinationListQuerySchema>;
