import { isUtf8 } from "node:buffer";
import { brokenJsonAt } from "./json-position.ts";

type ParsedJson = { readonly value: unknown } | { readonly problems: readonly string[] };

/** Reads a JSON body. Never throws. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { problems: ["body is not valid UTF-8"] };
  const misshapen = shapeProblem(bytes);
  if (misshapen !== undefined) return { problems: [misshapen] };
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column } = brokenJsonAt(text);
    return { problems: [`body is not valid JSON: line ${line}, column ${column}`] };
  }
  const problems = unsafeContent(value);
  return problems.length === 0 ? { value } : { problems };
}

/** A text without one of these needs no decoding. */
const ENCODED = /[%+]/;

interface ParsedQuery {
  readonly parameters: Readonly<Record<string, string>>;
  /** One entry per problem. */
  readonly problems: readonly string[];
}

/** Characters that an error message shows of a name the client made up. */
const MAX_NAME_SHOWN = 64;

export function shortened(name: string): string {
  return name.length > MAX_NAME_SHOWN ? `${name.slice(0, MAX_NAME_SHOWN)}…` : name;
}

/** Decodes a name or value of a form; undefined if it is not valid percent-encoded UTF-8. */
export function decodeFormText(text: string): string | undefined {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** More than any operation has. The number is bounded because each malformed one costs an exception. */
const MAX_PARAMETERS = 50;

/**
 * Reads `a=1&b=2`, as in a URL or a form (`application/x-www-form-urlencoded`). A repeated name, a malformed escape and
 * a control character are problems, and their parameters are left out. With too many parameters none is read.
 * @param repeatable names whose values are joined by commas instead.
 */
export function parseQuery(text: string, repeatable: readonly string[] = []): ParsedQuery {
  const parameters: Record<string, string> = {};
  const problems: string[] = [];
  const repeated = new Set<string>();
  const parts = text.split("&", MAX_PARAMETERS + 1);
  if (parts.length > MAX_PARAMETERS) {
    return { parameters, problems: [`there are too many parameters: at most ${MAX_PARAMETERS}`] };
  }
  for (const part of parts) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decodeFormText(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? "" : decodeFormText(part.slice(equals + 1));
    if (name === undefined) {
      problems.push("a parameter's name is not valid percent-encoded UTF-8");
      continue;
    }
    const unsafe = value === undefined ? "is not valid percent-encoded UTF-8" : (unsafeText(name) ?? unsafeText(value));
    if (unsafe !== undefined) problems.push(`${JSON.stringify(shortened(name))} ${unsafe}`);
    else if (name === "__proto__") problems.push("__proto__ is not a known parameter");
    else if (Object.hasOwn(parameters, name)) {
      if (repeatable.includes(name)) parameters[name] += `,${value}`;
      else if (!repeated.has(name)) problems.push(`${shortened(name)} is given more than once`);
      repeated.add(name);
    } else parameters[name] = value as string;
  }
  return { parameters, problems };
}

/** Why no field may hold this text, since not every store accepts it; undefined if it may. */
function unsafeText(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain NUL characters";
  return text.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** More than any body of the API has: levels of nesting, and fields and entries at all levels. */
const MAX_DEPTH = 32;
const MAX_VALUES = 1_000;
const TOO_DEEP = `body is nested deeper than ${MAX_DEPTH} levels`;
const TOO_MANY = `body has too many values: at most ${MAX_VALUES}`;

const [SPACE = 0, QUOTE, BACKSLASH, COMMA, OPENING, OPENING_BRACE, CLOSING, CLOSING_BRACE] = [
  ...Buffer.from(' "\\,[{]}'),
];

/**
 * Whether JSON is nested too deeply or has too many fields and entries. Checked before parsing, because a few kilobytes
 * of brackets would cost milliseconds. The JSON may be malformed. Each byte is read once.
 */
export function shapeProblem(bytes: Buffer): string | undefined {
  let values = 0;
  let depth = 0;
  let isFirst = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= SPACE) continue;
    const closes = byte === CLOSING || byte === CLOSING_BRACE;
    if (byte === COMMA || (isFirst && !closes)) values += 1;
    isFirst = byte === OPENING || byte === OPENING_BRACE;
    if (isFirst) depth += 1;
    else if (closes) depth -= 1;
    else if (byte === QUOTE) at = endOfString(bytes, at);
    if (depth > MAX_DEPTH) return TOO_DEEP;
    if (values > MAX_VALUES) return TOO_MANY;
  }
  return undefined;
}

/** The index of the string's closing quote, or the end of the text if it has none. */
function endOfString(bytes: Buffer, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Finds what no JSON body may hold at any depth: NUL characters, lone surrogates, and keys that would reach a
 * prototype.
 */
function unsafeContent(value: unknown): readonly string[] {
  const problems: string[] = [];
  visit(value, "", problems);
  return problems;
}

function visit(value: unknown, path: string, problems: string[]): void {
  if (typeof value === "string") {
    const unsafe = unsafeText(value);
    if (unsafe !== undefined) report(problems, `${path || "body"} ${unsafe}`);
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) visitEntry(entry, path, index, problems);
  } else if (typeof value === "object" && value !== null) {
    for (const key in value) {
      if (key === "__proto__") report(problems, `${path === "" ? key : `${path}.${key}`} can't be used as a name`);
      else if (unsafeText(key) !== undefined) report(problems, `${path || "body"}: a key ${unsafeText(key)}`);
      else visitEntry((value as Record<string, unknown>)[key], path, key, problems);
    }
  }
}

/** Builds paths only for values that can have a problem. */
function visitEntry(value: unknown, path: string, key: string | number, problems: string[]): void {
  if (typeof value === "string" ? unsafeText(value) === undefined : typeof value !== "object" || value === null) return;
  const name =
    typeof key === "number"
      ? `[${key}]`
      : path === ""
        ? key.slice(0, MAX_NAME_SHOWN)
        : `.${key.slice(0, MAX_NAME_SHOWN)}`;
  visit(value, path + name, problems);
}

function report(problems: string[], problem: string): void {
  if (problems.at(-1) !== problem) problems.push(problem);
}
