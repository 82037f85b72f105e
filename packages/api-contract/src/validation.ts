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
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? "of the right form"}`;
    default:
      return undefined;
  }
}

/** Unknown keys of a body are fields, those of a query are parameters. */
export type Subject = "body" | "query";

const MAX_KEY_SHOWN = 64;
const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** Keys come from the client and may be of any length. */
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

function problemsOf(issue: z.core.$ZodIssue, subject: Subject): string[] {
  if (issue.code === "unrecognized_keys") {
    const kind = subject === "body" ? "field" : "parameter";
    return issue.keys.map((key) => `${pathTo([...issue.path, key])} is not a known ${kind}`);
  }
  const path = issue.path.length === 0 ? subject : pathTo(issue.path);
  if (issue.code === "invalid_key") return issue.issues.map((inner) => `${path}: the key ${inner.message}`);
  return [`${path} ${issue.message}`];
}

/** One entry per problem, each begins with the path of its field: `passengers[0].email must be an email address`. */
export function toProblems(
  { issues }: { readonly issues: readonly z.core.$ZodIssue[] },
  subject: Subject = "body",
): string[] {
  const ofWrongType = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => pathTo(path)));
  // A text in place of an array has a length, too; only its type is a problem worth reporting.
  const isSizeOfWrongType = ({ code, path }: z.core.$ZodIssue) =>
    (code === "too_small" || code === "too_big") && ofWrongType.has(pathTo(path));
  return issues.filter((issue) => !isSizeOfWrongType(issue)).flatMap((issue) => problemsOf(issue, subject));
}
