import { MAX_METADATA_KEYS as MOST_PAIRS } from "@travel-booking/domain";
import { z } from "zod";
import { outputText, text } from "./text.ts";
import { validationMessage } from "./validation-message.ts";

const MAX_KEY = 255;
const MAX_VALUE = 500;

const pairs = z.record(text({ max: MAX_KEY, blank: "refused" }), text({ max: MAX_VALUE, blank: "accepted" }), {
  error: validationMessage,
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
export const outputMetadata = z
  .record(outputText(MAX_KEY), outputText(MAX_VALUE))
  .meta({ maxProperties: MOST_PAIRS, description: "Keys and values of the client's own." });
