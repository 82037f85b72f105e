import { CLIMATES, planProblems } from "@travel-booking/domain";
import { z } from "zod";
import { oneOf, strictObject } from "../fields/objects.ts";
import { text } from "../fields/text.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { catalogueId } from "./catalogue-id.ts";
import { catalogueFlightFields } from "./flight-fields.ts";
import { toFlightPlan } from "./flight-plan.ts";

const finite = z.number({ error: validationMessage });
const name = text({ max: 200, blank: "refused" });

export const catalogueDestinationSchema = strictObject({
  id: catalogueId,
  name,
  system: name,
  /** Light years from Earth. */
  distanceLy: finite.min(0),
  /** Earth is 1. */
  gravity: finite.gt(0),
  climate: oneOf(CLIMATES),
});
export type CatalogueDestination = z.infer<typeof catalogueDestinationSchema>;

/** A flight whose cabins make sense together, by the domain's own rules. */
export const catalogueFlightSchema = catalogueFlightFields.check((context) => {
  for (const problem of planProblems(toFlightPlan(context.value))) {
    context.issues.push({ code: "custom", message: `contradicts itself: ${problem}`, input: context.value });
  }
});

/** A list in which every id stands once; the later of two equal ones is named. */
function uniqueIds<Entry extends z.ZodType<{ readonly id: string }>>(entry: Entry) {
  return z.array(entry, { error: validationMessage }).check((context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of context.value.entries()) {
      if (seen.has(id))
        context.issues.push({ code: "custom", path: [index, "id"], message: "is in the file twice", input: id });
      seen.add(id);
    }
  });
}

/** The file `catalogue import` takes (docs/rules.md#catalogue-file). A flight may name a destination imported earlier. */
export const catalogueFile = strictObject({
  destinations: uniqueIds(catalogueDestinationSchema),
  flights: uniqueIds(catalogueFlightSchema),
});
export type CatalogueFile = z.infer<typeof catalogueFile>;
