import { MAX_METADATA_KEYS as MOST_PAIRS } from "@travel-booking/domain";
import { z } from "zod";
import { phrase } from "./phrase.ts";
import { shown, text } from "./text.ts";

const LONGEST_KEY = 255;
const LONGEST_VALUE = 500;

const pairs = z.record(text({ max: LONGEST_KEY, blank: "refused" }), text({ max: LONGEST_VALUE, blank: "accepted" }), {
  error: phrase,
});

/** Keys and values of the client's own: at most 20 pairs, values of at most 500 characters. */
export const metadata = pairs
  .check((context) => {
    if (Object.keys(context.value).length > MOST_PAIRS) {
      context.issues.push({ code: "custom", message: `must have at most ${MOST_PAIRS} keys`, input: context.value });
    }
  })
  .meta({ maxProperties: MOST_PAIRS, description: "Keys and values of the client's own, kept as they are." });

/** Merged into the pairs there are, of which there may be 20 afterwards; an empty value removes its key. */
export const metadataChanges = pairs.describe("Merged into what is there; an empty value removes its key.");

/** As the service answers with it. */
export const shownMetadata = z
  .record(shown(LONGEST_KEY), shown(LONGEST_VALUE))
  .meta({ maxProperties: MOST_PAIRS, description: "Keys and values of the client's own." });
