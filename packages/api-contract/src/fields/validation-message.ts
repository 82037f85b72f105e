import type { z } from "zod";

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

function sized(limit: string, count: number | bigint, origin: string): string {
  if (origin === "array") return `must have ${limit} ${count} ${count === 1 ? "entry" : "entries"}`;
  if (origin === "string") return `must have ${limit} ${count} ${count === 1 ? "character" : "characters"}`;
  return `must be ${limit} ${count}`;
}

/** What is wrong with a field, as the end of a sentence that begins with the field's path. */
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
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? "of the right form"}`;
    default:
      return undefined;
  }
}
