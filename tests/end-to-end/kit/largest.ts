import type { Schema } from "@travel-booking/api-contract";
import { type ZodType, z } from "zod";
import type { Fill } from "./hostile-texts.ts";

/** What must have a certain value to be taken, by the name of its field. */
export type Known = Readonly<Record<string, unknown>>;

const EMAIL = `${"e".repeat(63)}@${"e".repeat(63)}.${"e".repeat(63)}.${"e".repeat(57)}.io`;
let emails = 0;

/** Of a pair of metadata. */
export const nameOf = (index: number, fill: Fill) => `${index}`.padStart(2, "0") + fill(253);

/** The largest value that a schema allows: everything there is, each list and text at its greatest length. */
export function largestOf(schema: ZodType, fill: Fill, known: Known): unknown {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: "input" }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const largest = (of: Schema, name: string, index = 0): unknown => {
    if (Object.hasOwn(known, name)) return known[name];
    if (of.$ref !== undefined) return largest($defs[of.$ref.slice("#/$defs/".length)] as Schema, name, index);
    const [choice] = (of.anyOf ?? of.oneOf ?? []) as readonly Schema[];
    if (choice !== undefined) return largest(choice, name, index);
    if (of.enum !== undefined) return of.enum[index % of.enum.length];
    if (of.const !== undefined) return of.const;
    if (of.type === "object") return objectOf(of);
    if (of.type === "array")
      return Array.from({ length: of.maxItems as number }, (_, at) => largest(of.items as Schema, name, at));
    return of.type === "string" ? textOf(of, fill) : of.type === "boolean" ? true : 1;
  };
  const objectOf = ({ properties = {}, additionalProperties, maxProperties = 0 }: Schema) => {
    const own = Object.entries(properties).map(([name, property]) => [name, largest(property as Schema, name)]);
    const more = Array.from({ length: maxProperties }, (_, index) => [
      nameOf(index, fill),
      largest(additionalProperties as Schema, ""),
    ]);
    return Object.fromEntries([...own, ...more]);
  };
  return largest(root, "");
}

function textOf({ format, pattern = "", maxLength = 0 }: Schema, fill: Fill): string {
  if (format === "email") {
    emails += 1;
    return `${emails}`.padStart(5, "e") + EMAIL.slice(5);
  }
  if (format === "date") return "1985-04-15";
  if (format === "date-time") return `2026-11-21T10:00:00.${"0".repeat(19)}Z`;
  if (pattern.startsWith("^[A-Z]")) return "NZ";
  return fill(maxLength);
}

/** The same shape, with a text in each place where a text or a word goes: together they take so many bytes. */
export function overlongOf(value: unknown, fill: Fill, bytes: number): string {
  let places = 0;
  const counted = JSON.stringify(value, (_, inner) => {
    if (typeof inner === "string") places += 1;
    return inner;
  });
  // A character takes up to six bytes as JSON writes it here.
  const text = fill(Math.max(1, Math.floor((bytes - counted.length) / Math.max(places, 1) / 6)));
  return JSON.stringify(value, (_, inner) => (typeof inner === "string" ? text : inner));
}
