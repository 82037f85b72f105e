import { z } from "zod";
import { strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";
import { dateTime } from "../fields/time.ts";
import { catalogueCabinSchema } from "./cabin-schema.ts";
import { catalogueId } from "./catalogue-id.ts";

/** One flight of the catalogue file, each field for itself. */
export const catalogueFlightFields = strict({
  id: catalogueId,
  /** Code of the spaceport. */
  from: z.string({ error: phrase }).regex(/^[A-Z0-9]{2,8}$/, "must be a spaceport code of 2 to 8 letters and digits"),
  destinationId: catalogueId,
  departsAt: dateTime,
  durationDays: z.number({ error: phrase }).gt(0),
  cabins: z.array(catalogueCabinSchema, { error: phrase }).min(1),
});
export type CatalogueFlight = z.infer<typeof catalogueFlightFields>;
