/** What is wrong with a text that no field may hold; undefined where nothing is. */
export function unsafeText(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain NUL characters";
  return text.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** Deeper than any body of the API. */
const MAX_DEPTH = 32;
const MAX_PROBLEMS = 100;

/**
 * Finds in a parsed JSON value what no body may hold, wherever it is: NUL characters, lone surrogates, keys that
 * would reach a prototype, nesting without end. One entry per problem.
 */
export function unsafeContent(value: unknown): readonly string[] {
  const problems: string[] = [];
  visit(value, "", 0, problems);
  return problems;
}

function visit(value: unknown, path: string, depth: number, problems: string[]): void {
  if (typeof value === "string") {
    const unsafe = unsafeText(value);
    if (unsafe !== undefined) report(problems, `${path || "body"} ${unsafe}`);
  } else if (typeof value === "object" && value !== null) {
    if (depth === MAX_DEPTH) report(problems, `body is nested deeper than ${MAX_DEPTH} levels`);
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) visitEntry(value[index], path, index, depth, problems);
    } else {
      for (const key in value) {
        if (key === "__proto__") report(problems, `${path === "" ? key : `${path}.${key}`} is not a known field`);
        else if (unsafeText(key) !== undefined) report(problems, `${path || "body"}: a key ${unsafeText(key)}`);
        else visitEntry((value as Record<string, unknown>)[key], path, key, depth, problems);
      }
    }
  }
}

/** Paths are only built for what can hold a problem. */
function visitEntry(value: unknown, path: string, key: string | number, depth: number, problems: string[]): void {
  if (typeof value === "string" ? unsafeText(value) === undefined : typeof value !== "object" || value === null) return;
  const name = typeof key === "number" ? `[${key}]` : path === "" ? key.slice(0, 64) : `.${key.slice(0, 64)}`;
  visit(value, path + name, depth + 1, problems);
}

/** A hostile body may hold as many problems as bytes; the first ones say enough. */
function report(problems: string[], problem: string): void {
  if (problems.length < MAX_PROBLEMS && problems.at(-1) !== problem) problems.push(problem);
}
