import { type ZodType, z } from "zod";
import type { Reference, Schema } from "./openapi/types.ts";

/** Bytes that any body may have. So a body with an unknown field is parsed, and the error can name the field. */
const LEAST = 16_384;
/** The longest form of a character in JSON: two escapes, one for each surrogate. */
const CHARACTER = 12;
/** White space around a value, and the comma after it. */
const AROUND = 64;
/** The size of a number, or of a word such as `false`. */
const SCALAR = 32;

/**
 * Bytes that a JSON body of this schema may have: the size of the largest valid body in its longest form.
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
