import type { z } from "zod";

/** What unknown keys are called: fields of a body, or parameters of a query. */
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

/** A text has a length, too, and nobody wants to know it where a list is missing. */
function isSizeOfWrongType(issue: z.core.$ZodIssue, issues: readonly z.core.$ZodIssue[]): boolean {
  if (issue.code !== "too_small" && issue.code !== "too_big") return false;
  const path = pathTo(issue.path);
  return issues.some((other) => other.code === "invalid_type" && pathTo(other.path) === path);
}

/**
 * What a validation found, for people: one entry per problem, each beginning with the path of its field, as in
 * `passengers[0].email must be an email address`.
 */
export function toProblems(
  error: { readonly issues: readonly z.core.$ZodIssue[] },
  subject: Subject = "body",
): string[] {
  const { issues } = error;
  return issues.filter((issue) => !isSizeOfWrongType(issue, issues)).flatMap((issue) => problemsOf(issue, subject));
}
