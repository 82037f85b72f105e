import { z } from "zod";
import { phrase } from "./phrase.ts";
import { text } from "./text.ts";

const MOST_PAIRS = 20;
const LONGEST_KEY = 255;
const LONGEST_VALUE = 500;

/** Keys and values of the client's own: at most 20 pairs, values of at most 500 characters. */
export const metadata = z
  .record(text({ max: LONGEST_KEY, blank: "refused" }), text({ max: LONGEST_VALUE, blank: "accepted" }), {
    error: phrase,
  })
  .check((context) => {
    if (Object.keys(context.value).length > MOST_PAIRS) {
      context.issues.push({ code: "custom", message: `must have at most ${MOST_PAIRS} keys`, input: context.value });
    }
  })
  .meta({ maxProperties: MOST_PAIRS });
