import { unsafeText } from "./unsafe-content.ts";

export interface ParsedQuery {
  /** No prototype: any name is an ordinary key. */
  readonly parameters: Readonly<Record<string, string>>;
  /** One entry per problem. */
  readonly problems: readonly string[];
}

const NAME_SHOWN = 64;

function shown(name: string): string {
  return name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name;
}

/** As forms encode it; undefined where it is not valid percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/**
 * Reads `a=1&b=2`, as in a URL or a form (`application/x-www-form-urlencoded`). A repeated name, a malformed escape
 * and a control character are problems; a problem's parameter is left out.
 */
export function parseQuery(text: string): ParsedQuery {
  const parameters: Record<string, string> = Object.create(null);
  const problems: string[] = [];
  const repeated = new Set<string>();
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decoded(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? "" : decoded(part.slice(equals + 1));
    if (name === undefined) {
      problems.push("a parameter's name is not valid percent-encoded UTF-8");
      continue;
    }
    const unsafe = value === undefined ? "is not valid percent-encoded UTF-8" : (unsafeText(name) ?? unsafeText(value));
    if (unsafe !== undefined) problems.push(`${JSON.stringify(shown(name))} ${unsafe}`);
    else if (name === "__proto__") problems.push("__proto__ is not a known parameter");
    else if (Object.hasOwn(parameters, name)) {
      if (!repeated.has(name)) problems.push(`${shown(name)} is given more than once`);
      repeated.add(name);
    } else parameters[name] = value as string;
  }
  return { parameters, problems };
}
