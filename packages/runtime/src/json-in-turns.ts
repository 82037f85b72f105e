import { setImmediate } from "node:timers/promises";

/** Values that are written in one turn, which takes about a millisecond. */
const AT_ONCE = 5_000;
/** Characters of a text that take as long as a value. */
const CHARACTERS = 100;

/** As `JSON.stringify`. Others are served while a large list or object is written. */
export async function jsonInTurns(value: unknown): Promise<string> {
  let left = AT_ONCE;
  const write = async (part: unknown): Promise<string> => {
    const size = sizeOf(part, AT_ONCE);
    if (size >= AT_ONCE && typeof part === "object" && part !== null) {
      const texts: string[] = [];
      for (const [name, each] of Object.entries(part)) {
        const text = await write(each);
        if (Array.isArray(part)) texts.push(text ?? "null");
        else if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
      }
      return Array.isArray(part) ? `[${texts}]` : `{${texts}}`;
    }
    if (size > left) {
      await setImmediate();
      left = AT_ONCE;
    }
    left -= size;
    return JSON.stringify(part);
  };
  return write(value);
}

/** How many values there are, a long text being several; `most` where there are more. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return 1;
  let size = 1;
  for (const name in value) {
    size += sizeOf((value as Readonly<Record<string, unknown>>)[name], most - size);
    if (size >= most) return most;
  }
  return size;
}
