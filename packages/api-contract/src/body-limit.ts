import { type ZodType, z } from "zod";
import type { Reference, Schema } from "./openapi/types.ts";

/** Bytes that any body may have, so that a request with a field too many is told which. */
const LEAST = 16_384;
/** A character as JSON writes it at its longest: two escapes of a surrogate each. */
const CHARACTER = 12;
/** White space around a value, and the comma behind it. */
const AROUND = 64;
/** Of a number, or of a word such as `false`. */
const SCALAR = 32;

/**
 * Bytes a JSON body of this schema may have: as many as the largest valid one takes, whichever way it is written.
 * @throws Error a text, an array or a record in it has no bound.
 */
export function bodyLimitOf(schema: ZodType): number {
  const { $defs = {}, ...body } = z.toJSONSchema(schema, { io: "input" }) as Schema & { $defs?: Definitions };
  return Math.max(LEAST, sizeOf(body, $defs));
}

type Definitions = Readonly<Record<string, Schema>>;

function sizeOf(schemaOrReference: Schema | Reference, definitions: Definitions): number {
  const size = (inner: Schema | Reference | undefined) => (inner === undefined ? 0 : sizeOf(inner, definitions));
  const { $ref } = schemaOrReference;
  if ($ref !== undefined) return size(definitions[$ref.slice("#/$defs/".length)]);
  const schema = schemaOrReference as Schema;
  const { type } = schema;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return Math.max(...choices.map(size));
  if (schema.enum !== undefined) return Math.max(...schema.enum.map((value) => sizeOfText(String(value).length)));
  if (schema.const !== undefined) return sizeOfText(String(schema.const).length);
  if (type === "string") return sizeOfText(bounded(schema, "maxLength"));
  if (type === "array") return AROUND + bounded(schema, "maxItems") * size(schema.items);
  if (type !== "object") return AROUND + SCALAR;
  let total = AROUND;
  for (const [name, value] of Object.entries(schema.properties ?? {})) total += sizeOfText(name.length) + size(value);
  if (typeof schema.additionalProperties === "object")
    total += bounded(schema, "maxProperties") * (size(schema.propertyNames) + size(schema.additionalProperties));
  return total;
}

const sizeOfText = (characters: number) => AROUND + CHARACTER * characters;

function bounded(schema: Schema, keyword: "maxLength" | "maxItems" | "maxProperties"): number {
  const bound = schema[keyword];
  if (bound === undefined) throw new Error(`no ${keyword} bounds ${JSON.stringify(schema)}`);
  return bound;
}
