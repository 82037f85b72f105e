import { z } from "zod";
import { nearestName } from "./nearest-name.ts";

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  date: "a date of the form YYYY-MM-DD",
  datetime: "an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z",
};

/** The forms of dates and times. If the format refuses a text of such a form, the day or time does not exist. */
const LOOKS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
};

const WITHOUT_SECONDS = /^[\d-]+T\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/;

/** The fields of an object's schema. They go into the message, because `toProblems` gets nothing else of the schema. */
function knownNames(schema: unknown): string {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).join(" ") : "";
}

function sized(limit: string, count: number | bigint, origin: string): string {
  if (origin === "array") return `must have ${limit} ${count} ${count === 1 ? "entry" : "entries"}`;
  if (origin === "string") return `must have ${limit} ${count} ${count === 1 ? "character" : "characters"}`;
  return `must be ${limit} ${count}`;
}

/** The end of a sentence that begins with the path of the field. */
export function validationMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== "custom") return "is required";
  switch (issue.code) {
    case "invalid_type": {
      if (typeof issue.input === "number" && issue.expected === "number") return "must be a finite number";
      return `must be ${KINDS[issue.expected] ?? `of type ${issue.expected}`}`;
    }
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : sized("at least", issue.minimum, issue.origin);
    case "too_big":
      return sized("at most", issue.maximum, issue.origin);
    case "invalid_format": {
      const looksRight = typeof issue.input === "string" && LOOKS[issue.format]?.test(issue.input) === true;
      if (looksRight)
        return issue.format === "date" ? "is not a day of the calendar" : "is not a moment of the calendar";
      if (issue.format === "datetime" && WITHOUT_SECONDS.test(String(issue.input)))
        return "must have seconds, as in 2027-03-01T09:00:00Z";
      return `must be ${FORMATS[issue.format] ?? "of the right form"}`;
    }
    case "unrecognized_keys":
      return knownNames(issue.inst);
    default:
      return undefined;
  }
}

/** Decides whether problems call an unknown key a field or a parameter. */
export type Subject = "body" | "query";

const MAX_KEY_SHOWN = 64;
/** A hostile request may have many unknown keys. */
const MAX_GUESSES = 20;
const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** Shortens a key, because the client may send one of any length. */
function shortened(key: string): string {
  return key.length > MAX_KEY_SHOWN ? `${key.slice(0, MAX_KEY_SHOWN)}…` : key;
}

function pathTo(keys: readonly PropertyKey[]): string {
  let path = "";
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else {
      const name = shortened(String(key));
      if (!PLAIN_KEY.test(name)) path += `[${JSON.stringify(name)}]`;
      else path += path === "" ? name : `.${name}`;
    }
  }
  return path;
}

/** The first option of those that know most of the fields; undefined: another one knows what it does not. */
function optionMeant(options: z.core.$ZodIssueInvalidUnion["errors"]): z.core.$ZodIssue[] | undefined {
  const unknown = options.map((issues) =>
    issues.flatMap((issue) => (issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [])),
  );
  const fewest = Math.min(...unknown.map(({ length }) => length));
  const meant = unknown.findIndex(({ length }) => length === fewest);
  const isMixed = unknown[meant]?.some((key) => unknown.some((others) => !others.includes(key)));
  return isMixed === true ? undefined : options[meant];
}

function problemsOf(issue: z.core.$ZodIssue, subject: Subject): string[] {
  if (issue.code === "invalid_union") {
    const meant = optionMeant(issue.errors)?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
    if (meant !== undefined) return meant.flatMap((inner) => problemsOf(inner, subject));
  }
  if (issue.code === "unrecognized_keys") {
    const kind = subject === "body" ? "field" : "parameter";
    const known = issue.message.split(" ");
    return issue.keys.map((key, index) => {
      const nearest = index < MAX_GUESSES ? nearestName(key, known) : undefined;
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      return `${pathTo([...issue.path, key])} is not a known ${kind}${hint}`;
    });
  }
  const path = issue.path.length === 0 ? subject : pathTo(issue.path);
  if (issue.code === "invalid_key") return issue.issues.map((inner) => `${path}: the key ${inner.message}`);
  return [`${path} ${issue.message}`];
}

/** One entry per problem. It begins with the path of its field: `passengers[0].email must be an email address`. */
export function toProblems(
  { issues }: { readonly issues: readonly z.core.$ZodIssue[] },
  subject: Subject = "body",
): string[] {
  const ofWrongType = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => pathTo(path)));
  // A text in place of an array has a length, too, but only its type is worth reporting.
  const isSizeOfWrongType = ({ code, path }: z.core.$ZodIssue) =>
    (code === "too_small" || code === "too_big") && ofWrongType.has(pathTo(path));
  return issues.filter((issue) => !isSizeOfWrongType(issue)).flatMap((issue) => problemsOf(issue, subject));
}
