import { isCurrency, MAX_METADATA_KEYS } from "@travel-booking/domain";
import { z } from "zod";
import { validationMessage } from "./validation.ts";

// Every schema of the process reports its problems in these words, unless it has words of its own.
z.config({ customError: validationMessage });

interface TextBounds {
  /** Characters (Unicode code points). */
  readonly max: number;
  /** Whether an empty text, or one of white space alone, is refused. */
  readonly blank: "refused" | "accepted";
}

/** A surrogate pair is one character; only texts near the bound have to be counted. */
function isLongerThan(value: string, max: number): boolean {
  return value.length > max && (value.length > 2 * max || [...value].length > max);
}

/** What is wrong with a text, or undefined. A lone surrogate has no UTF-8 form, so it could not be stored. */
function textProblem(value: string, { max, blank }: TextBounds): string | undefined {
  if (blank === "refused" && value.trim() === "") return "must not be blank";
  if (isLongerThan(value, max)) return `must have at most ${max} characters`;
  return value.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** The published patterns: no request may contain a NUL or a DEL, and a text that must not be blank has a visible character. */
const ALLOWED = "^[^\\u0000\\u007f]*$";
const NOT_BLANK = "^[^\\u0000\\u007f]*[^\\s\\u0000\\u007f][^\\u0000\\u007f]*$";

/** A bounded text, stored exactly as it was sent. */
export function text(bounds: TextBounds) {
  return z
    .string()
    .check((context) => {
      const message = textProblem(context.value, bounds);
      if (message !== undefined) context.issues.push({ code: "custom", message, input: context.value });
    })
    .meta(
      bounds.blank === "refused"
        ? { minLength: 1, maxLength: bounds.max, pattern: NOT_BLANK }
        : { maxLength: bounds.max, pattern: ALLOWED },
    );
}

/** A text in an answer. */
export function outputText(maxLength: number) {
  return z.string().meta({ maxLength });
}

/** An id in an answer. */
export const outputId = outputText(255);

/** An id in a request: any text, since an unknown one answers 404. */
export const identifier = text({ max: 255, blank: "refused" });

/** Dot-atoms before the `@` and at least two host labels behind it (RFC 5321 §4.1.2, without quoted names and address literals). */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, its brackets included. */
export const MAX_EMAIL = 254;

export const email = z.email({ pattern: EMAIL }).max(MAX_EMAIL);

/** A calendar day, `YYYY-MM-DD`. */
export const date = z.iso.date().meta({ maxLength: 10 });

/** Leaves room for any precision of a second. */
const MAX_DATE_TIME = 40;

/** A moment in a request: ISO 8601 with an offset. */
export const dateTime = z.iso.datetime({ offset: true }).max(MAX_DATE_TIME).meta({ maxLength: MAX_DATE_TIME });

/** A moment in an answer: ISO 8601 in UTC. */
export const utcDateTime = z.iso.datetime().meta({ maxLength: 24 });

/** A query parameter that names a day; parsed to its first moment in UTC, in milliseconds since the epoch. */
export const dayParameter = date.transform((value) => Date.parse(value));

/** A query parameter that names a moment; parsed to milliseconds since the epoch. */
export const instantParameter = dateTime.transform((value) => Date.parse(value));

/** A query parameter that is a whole number without sign or leading zeros, and has a default. */
export function integerParameter({
  min,
  max,
  ...published
}: {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly description: string;
}) {
  return z
    .string()
    .refine((value) => /^(?:0|[1-9]\d*)$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .default(published.default)
    .meta({ type: "integer", format: "int32", minimum: min, maximum: max, ...published });
}

/** Any integer that JavaScript represents exactly. */
export const wholeNumber = z.int().meta({ format: "int64" });

export const cents = wholeNumber
  .min(0)
  .meta({ format: "int64", description: "An amount in cents, the smallest unit of the currency." });

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: "must be an ISO 4217 code, such as USD", abort: true })
  .meta({ maxLength: 3, description: "An ISO 4217 currency code." });

/** A currency in a request. Answers may tell others, which were stored before. */
export const knownCurrency = currency.refine(isCurrency, {
  error: ({ input }) => `must be a currency of ISO 4217, such as USD; ${input} is none`,
});

/** An array without duplicates; a problem names the later of two equal entries. */
export function uniqueArray<Entry extends z.ZodType<string>>(entry: Entry, { min, max }: { min: number; max: number }) {
  return z
    .array(entry)
    .min(min)
    .max(max)
    .check((context) => {
      const { value } = context;
      for (const [index, input] of value.entries()) {
        if (value.indexOf(input) === index) continue;
        context.issues.push({ code: "custom", message: "is named twice", path: [index], input });
      }
    })
    .meta({ uniqueItems: true });
}

const MAX_METADATA_KEY = 255;
const MAX_METADATA_VALUE = 500;

const metadataPairs = z.record(
  text({ max: MAX_METADATA_KEY, blank: "refused" }),
  text({ max: MAX_METADATA_VALUE, blank: "accepted" }),
);

/** Keys and values of the client's own. */
export const metadata = metadataPairs
  .refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_KEYS, {
    error: `must have at most ${MAX_METADATA_KEYS} keys`,
  })
  .meta({ maxProperties: MAX_METADATA_KEYS, description: "Keys and values of the client's own, kept as they are." });

/** Merged into the stored pairs. How many there are afterwards is checked against the stored ones. */
export const metadataChanges = metadataPairs.describe("Merged into what is there; an empty value removes its key.");

export const outputMetadata = z
  .record(outputText(MAX_METADATA_KEY), outputText(MAX_METADATA_VALUE))
  .meta({ maxProperties: MAX_METADATA_KEYS, description: "Keys and values of the client's own." });
