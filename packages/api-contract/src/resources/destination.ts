import { CLIMATES } from "@travel-booking/domain";
import { z } from "zod";
import { oneOf, strict } from "../fields/objects.ts";
import { pageParameters } from "./page.ts";

export const destinationSchema = strict({
  id: z.string(),
  name: z.string(),
  system: z.string(),
  /** Light years from Earth. */
  distanceLy: z.number(),
  /** Earth is 1. */
  gravity: z.number(),
  climate: oneOf(CLIMATES),
});
export type DestinationBody = z.infer<typeof destinationSchema>;

export const destinationListQuerySchema = strict({ climate: oneOf(CLIMATES).optional(), ...pageParameters });
export type DestinationListQuery = z.infer<typeof destinationListQuerySchema>;
