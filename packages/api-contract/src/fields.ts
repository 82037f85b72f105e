import { isCurrency, MAX_METADATA_KEYS } from "@travel-booking/domain";
import { z } from "zod";
import { validationMessage } from "./validation.ts";

// Every schema of the process uses these messages, unless it has its own.
z.config({ customError: validationMessage });

interface TextBounds {
  /** Characters (Unicode code points). */
  readonly max: number;
  /** Whether an empty text, or one of nothing visible, is refused. */
  readonly blank: "refused" | "accepted";
  /** The text is shown to people in one line, so no line end is accepted. */
  readonly line?: true;
}

/** A character that people see: no white space, no control, and none that only joins, directs or fills. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;

/** A surrogate pair is one character. Characters are counted only if the length alone does not decide. */
function isLongerThan(value: string, max: number): boolean {
  return value.length > max && (value.length > 2 * max || [...value].length > max);
}

/** What is wrong with a text, or undefined. A lone surrogate has no UTF-8 form, so it could not be stored. */
function textProblem(value: string, { max, blank, line }: TextBounds): string | undefined {
  if (blank === "refused" && !VISIBLE.test(value)) return "must not be blank";
  if (line === true && LINE_END.test(value)) return "must not contain a line end";
  if (isLongerThan(value, max)) return `must have at most ${max} characters`;
  return value.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** The opposite of `VISIBLE`, in every dialect of patterns, without characters beyond the basic plane. */
const INVISIBLE =
  "\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb";

/** The published pattern: no request may contain a NUL. */
function patternOf({ blank, line }: TextBounds): string {
  const any = `[^\\u0000${line === true ? "\\n\\u000b\\u000c\\r\\u0085\\u2028\\u2029" : ""}]*`;
  return blank === "refused" ? `^${any}[^${INVISIBLE}]${any}$` : `^${any}$`;
}

/** A bounded text, stored exactly as it was sent. */
export function text(bounds: TextBounds) {
  return z
    .string()
    .check((context) => {
      const message = textProblem(context.value, bounds);
      if (message !== undefined) context.issues.push({ code: "custom", message, input: context.value });
    })
    .meta({ ...(bounds.blank === "refused" && { minLength: 1 }), maxLength: bounds.max, pattern: patternOf(bounds) });
}

/** A text in an answer. */
export function outputText(maxLength: number) {
  return z.string().meta({ maxLength });
}

/** An id in an answer. */
export const outputId = outputText(255);

/** An id in a request: any text, because an unknown id gets a 404. */
export const identifier = text({ max: 255, blank: "refused" });

/**
 * Dot-atoms of at most 64 octets before the `@`, and at least two host labels after it (RFC 5321 §4.1.2 and §4.5.3.1.1,
 * without quoted names and address literals).
 */
const EMAIL =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, its brackets included. */
export const MAX_EMAIL = 254;

export const email = z.email({ pattern: EMAIL }).max(MAX_EMAIL);

/** Null where other shapes have an object. Both types are published: client generators lack a type of null alone. */
export const noObject = z.null().meta({ type: ["object", "null"], const: null });

/** A calendar day, `YYYY-MM-DD`. */
export const date = z.iso.date().meta({ maxLength: 10 });

/** Leaves room for many more digits of a second than a client needs. */
const MAX_DATE_TIME = 40;

const PUBLISHED_DATE_TIME = { type: "string", format: "date-time", maxLength: MAX_DATE_TIME } as const;

/** A moment in a request: ISO 8601 with an offset; `t` and `z` in either case (RFC 3339 §5.6). */
export const dateTime = z
  .string()
  .max(MAX_DATE_TIME)
  .overwrite((value) => value.toUpperCase())
  .pipe(z.iso.datetime({ offset: true }))
  .meta(PUBLISHED_DATE_TIME);

/** A moment in an answer: ISO 8601 in UTC. */
export const utcDateTime = z.iso.datetime().meta({ maxLength: 24 });

/** A query parameter that names a day; parsed to its first moment in UTC, in milliseconds since the epoch. */
export const dayParameter = date.transform((value) => Date.parse(value));

/** Digits of a second beyond milliseconds. The service stores moments in milliseconds. */
const FINER = /\.\d{3}\d*[1-9]/;

/** A query parameter for things after a moment; parsed to milliseconds since the epoch. */
export const instantParameter = dateTime.transform((value) => Date.parse(value));

/** For things before, or from, a moment. A finer moment is rounded up, because its own millisecond began before it. */
export const nextInstantParameter = dateTime.transform((value) => Date.parse(value) + (FINER.test(value) ? 1 : 0));

const DAY_OR_INSTANT = new RegExp(`${z.regexes.date.source}|${z.regexes.datetime({ offset: true }).source}`);

/** A query parameter that names a day or a moment, from which on or before which something is. */
export const dayOrInstantParameter = z
  .string()
  .max(MAX_DATE_TIME)
  .transform((value, context) => {
    for (const parameter of [dayParameter, nextInstantParameter]) {
      const { success, data } = parameter.safeParse(value);
      if (success) return data;
    }
    context.issues.push({ code: "custom", message: "must be a date or a date-time with an offset", input: value });
    return z.NEVER;
  })
  .meta({ type: "string", maxLength: MAX_DATE_TIME, pattern: DAY_OR_INSTANT.source });

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

/** A query parameter of several values with commas between them, as `parseQuery` joins repeated ones; parsed to each once. */
export function listParameter<Value extends z.ZodType<string>>(value: Value, { max }: { readonly max: number }) {
  const parts = (text: unknown) => (typeof text === "string" ? [...new Set(text.split(","))] : text);
  return z.preprocess(parts, z.array(value).min(1).max(max));
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

/** A currency in a request. Answers may have other currencies, which were stored before. */
export const knownCurrency = currency.refine(isCurrency, {
  error: ({ input }) => `must be a currency of ISO 4217, such as USD; ${input} is none`,
});

/** An array without duplicates. The problem names the later of two equal entries. */
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

/** Keys and values that the client chooses. */
export const metadata = metadataPairs
  .refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_KEYS, {
    error: `must have at most ${MAX_METADATA_KEYS} keys`,
  })
  .meta({ maxProperties: MAX_METADATA_KEYS, description: "Keys and values of the client's own, kept as they are." });

/** Enough to remove all stored keys and to add as many new ones. */
const MAX_METADATA_CHANGES = 2 * MAX_METADATA_KEYS;

/** Changes that are merged into the stored pairs. The number of pairs is checked after the merge. */
export const metadataChanges = metadataPairs
  .refine((pairs) => Object.keys(pairs).length <= MAX_METADATA_CHANGES, {
    error: `must have at most ${MAX_METADATA_CHANGES} keys`,
  })
  .meta({
    maxProperties: MAX_METADATA_CHANGES,
    description: "Merged into what is there; an empty value removes its key.",
  });

export const outputMetadata = z
  .record(outputText(MAX_METADATA_KEY), outputText(MAX_METADATA_VALUE))
  .meta({ maxProperties: MAX_METADATA_KEYS, description: "Keys and values of the client's own." });
