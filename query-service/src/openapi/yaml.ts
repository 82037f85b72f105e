/** JSON values as YAML 1.2, which YAML 1.1 reads alike. A library takes half a second of the request thread. */
export function yaml(value: unknown): string {
  return `${written(value, "").trimStart()}\n`;
}

/** What is in lines of its own begins with a line end. */
function written(value: unknown, indent: string): string {
  if (typeof value === "string") return scalar(value, indent);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inside = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((entry) => `- ${written(entry, inside).trimStart()}`)
    : Object.entries(value).map(([name, entry]) => `${word(name)}:${behindName(written(entry, inside))}`);
  if (lines.length === 0) return Array.isArray(value) ? "[]" : "{}";
  return lines.map((line) => `\n${indent}${line}`).join("");
}

const behindName = (text: string) => (text.startsWith("\n") ? text : ` ${text}`);

/** Lines of a text stand as they are, where they can. */
function scalar(text: string, indent: string): string {
  const isBlock = text.includes("\n") && /^\S/.test(text) && /[^\n]$/.test(text) && !/[^\n\P{C}]/u.test(text);
  return isBlock ? `|-\n${text.replaceAll(/^(?=.)/gm, indent)}` : word(text);
}

const PLAIN = /^[A-Za-z_][\w/.-]*$/;
/** What YAML 1.1 takes for something else than a text. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A JSON string is one of YAML, too. */
const word = (text: string) => (PLAIN.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text));
