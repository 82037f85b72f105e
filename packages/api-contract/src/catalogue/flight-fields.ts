import { z } from "zod";
import { strictObject } from "../fields/objects.ts";
import { dateTime } from "../fields/time.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { catalogueCabinSchema } from "./cabin-schema.ts";
import { catalogueId } from "./catalogue-id.ts";

/** One flight of the catalogue file, each field for itself. */
export const catalogueFlightFields = strictObject({
  id: catalogueId,
  /** Code of the spaceport. */
  from: z
    .string({ error: validationMessage })
    .regex(/^[A-Z0-9]{2,8}$/, "must be a spaceport code of 2 to 8 letters and digits"),
  destinationId: catalogueId,
  departsAt: dateTime,
  durationDays: z.number({ error: validationMessage }).gt(0),
  cabins: z.array(catalogueCabinSchema, { error: validationMessage }).min(1),
});
export type CatalogueFlight = z.infer<typeof catalogueFlightFields>;
