import { isUtf8 } from "node:buffer";
import { MARK } from "@travel-booking/read-models/sealed-words";
import { brokenJsonAt } from "./json-position.ts";

type ParsedJson = { readonly value: unknown } | { readonly problems: readonly string[] };

/** Reads a JSON body. Never throws. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { problems: ["body is not valid UTF-8"] };
  if (bytes.length > LARGE_BYTES && hasTooManyValues(bytes)) return { problems: [tooManyValues("body")] };
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

/** Texts without one of these are as they were before. */
const ENCODED = /[%+]/;

interface ParsedQuery {
  readonly parameters: Readonly<Record<string, string>>;
  /** One entry per problem. */
  readonly problems: readonly string[];
}

/** Characters of a client's name for something that an error message shows. */
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

/** More than any operation has: each one may cost an exception. */
const MAX_PARAMETERS = 50;

/**
 * Reads `a=1&b=2`, as in a URL or a form (`application/x-www-form-urlencoded`). A repeated name, a malformed escape
 * and a control character are problems; a problem's parameter is left out. Of far too many parameters none is looked at.
 */
export function parseQuery(text: string): ParsedQuery {
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
      if (!repeated.has(name)) problems.push(`${shortened(name)} is given more than once`);
      repeated.add(name);
    } else parameters[name] = value as string;
  }
  return { parameters, problems };
}

/**
 * The problem with a text that no field may hold; undefined if there is none. DEL begins a sealed word: whoever has a copy of what is
 * stored would be shown what it says.
 */
function unsafeText(text: string): string | undefined {
  if (text.includes("\0") || text.includes(MARK)) return "must not contain NUL or DEL characters";
  return text.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** Deeper, and more fields and entries at all depths, than any body of the API. */
const MAX_DEPTH = 32;
const MAX_VALUES = 1_000;

interface Findings {
  /** One entry each. */
  readonly problems: string[];
  valuesLeft: number;
  /** Where they ran out. */
  tooManyAt: string | undefined;
}

/**
 * Finds what no JSON body may hold at any depth: NUL and DEL characters, lone surrogates, keys that would reach a prototype,
 * excessive nesting, far too many values: schemas look at all of them, however few they know.
 */
function unsafeContent(value: unknown): readonly string[] {
  const findings: Findings = { problems: [], valuesLeft: MAX_VALUES, tooManyAt: undefined };
  visit(value, "", 0, findings);
  const { problems, tooManyAt } = findings;
  return tooManyAt === undefined ? problems : [tooManyValues(tooManyAt)];
}

function tooManyValues(path: string): string {
  return `${path} has too many values: a body has at most ${MAX_VALUES}`;
}

/** A larger body is looked through before it is parsed: what it has too many of would take up to a tenth of a second. */
const LARGE_BYTES = 65_536;
const [QUOTE, BACKSLASH, COMMA, OPENING, OPENING_BRACE] = [...Buffer.from('"\\,[{')];

/** Whether a text of JSON has more values than a body may, by its commas and brackets; it may be broken. Linear. */
export function hasTooManyValues(bytes: Buffer): boolean {
  let commas = 0;
  let opened = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA) commas += 1;
    else if (byte === OPENING || byte === OPENING_BRACE) opened += 1;
    else if (byte === QUOTE) at = endOfString(bytes, at);
    else continue;
    if (commas > MAX_VALUES || opened > MAX_VALUES + 1) return true;
  }
  return false;
}

/** Where the string that begins here ends; with the text at the latest. */
function endOfString(bytes: Buffer, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function visit(value: unknown, path: string, depth: number, findings: Findings): void {
  const { problems } = findings;
  if (typeof value === "string") {
    const unsafe = unsafeText(value);
    if (unsafe !== undefined) report(problems, `${path || "body"} ${unsafe}`);
  } else if (typeof value === "object" && value !== null) {
    if (depth === MAX_DEPTH) report(problems, `body is nested deeper than ${MAX_DEPTH} levels`);
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length && findings.tooManyAt === undefined; index += 1) {
        visitEntry(value[index], path, index, depth, findings);
      }
    } else {
      for (const key in value) {
        if (findings.tooManyAt !== undefined) return;
        if (key === "__proto__") report(problems, `${path === "" ? key : `${path}.${key}`} can't be used as a name`);
        else if (unsafeText(key) !== undefined) report(problems, `${path || "body"}: a key ${unsafeText(key)}`);
        else visitEntry((value as Record<string, unknown>)[key], path, key, depth, findings);
      }
    }
  }
}

/** Builds paths only for values that can have a problem. */
function visitEntry(value: unknown, path: string, key: string | number, depth: number, findings: Findings): void {
  if (findings.valuesLeft === 0) {
    findings.tooManyAt = path || "body";
    return;
  }
  findings.valuesLeft -= 1;
  if (typeof value === "string" ? unsafeText(value) === undefined : typeof value !== "object" || value === null) return;
  const name =
    typeof key === "number"
      ? `[${key}]`
      : path === ""
        ? key.slice(0, MAX_NAME_SHOWN)
        : `.${key.slice(0, MAX_NAME_SHOWN)}`;
  visit(value, path + name, depth + 1, findings);
}

function report(problems: string[], problem: string): void {
  if (problems.at(-1) !== problem) problems.push(problem);
}
