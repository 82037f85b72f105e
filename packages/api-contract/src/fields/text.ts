import { z } from "zod";
import { validationMessage } from "./validation-message.ts";

export interface TextBounds {
  /** Most characters (Unicode code points). */
  readonly max: number;
  /** Whether a text of no characters, or of spaces alone, is refused. */
  readonly blank: "refused" | "accepted";
}

/** A surrogate pair counts as one character; only texts near the bound have to be counted. */
function longerThan(value: string, max: number): boolean {
  return value.length > max && (value.length > 2 * max || [...value].length > max);
}

/** What is wrong with a text, or undefined. A lone surrogate has no UTF-8 form, so it could not be stored and read back. */
function textProblem(value: string, { max, blank }: TextBounds): string | undefined {
  if (blank === "refused" && value.trim() === "") return "must not be blank";
  if (longerThan(value, max)) return `must have at most ${max} characters`;
  return value.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** As it is published: no request may hold a NUL anywhere, and what must not be blank has a character that is no space. */
const NO_NUL = "^[^\\u0000]*$";
const NOT_BLANK = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";

/** A bounded text, kept exactly as it was sent. */
export function text(bounds: TextBounds) {
  return z
    .string({ error: validationMessage })
    .check((context) => {
      const message = textProblem(context.value, bounds);
      if (message !== undefined) context.issues.push({ code: "custom", message, input: context.value });
    })
    .meta(
      bounds.blank === "refused"
        ? { minLength: 1, maxLength: bounds.max, pattern: NOT_BLANK }
        : { maxLength: bounds.max, pattern: NO_NUL },
    );
}

/** A text the service answers with, of at most so many characters. */
export function outputText(max: number) {
  return z.string().meta({ maxLength: max });
}

/** An id the service answers with. */
export const outputId = outputText(255);

/** An identifier a client names: any text, since one that does not exist answers 404. */
export const identifier = text({ max: 255, blank: "refused" });
