import { isDeepStrictEqual } from "node:util";
import { type ZodType, z } from "zod";
import type { Schema } from "./types.ts";

const DEFINITION = "#/$defs/";
const COMPONENT = "#/components/schemas/";

type Direction = "input" | "output";

/**
 * The schemas of the document, made from those that validate. A schema with an `id` becomes a component of that name. If
 * its shapes in requests and in answers differ, it becomes two components: the one of requests gets the suffix `Request`.
 */
export class Schemas {
  readonly #split: ReadonlySet<string>;
  readonly #definitions: Readonly<Record<Direction, Map<string, Schema>>> = {
    input: new Map(),
    output: new Map(),
  };

  /** @param split ids that become two components. They are known only after all schemas have been converted. */
  constructor(split: ReadonlySet<string>) {
    this.#split = split;
  }

  /** Closed: a request may contain the named fields only. */
  request(schema: ZodType): Schema {
    return this.#convert(schema, "input");
  }

  /** Open: a later version of the service may add a field to an answer. */
  response(schema: ZodType): Schema {
    return this.#convert(schema, "output");
  }

  /** Ids that are not split yet, although their shapes in requests and in answers differ. */
  get clashes(): readonly string[] {
    const { input, output } = this.#definitions;
    return [...input.keys()].filter(
      (id) => !this.#split.has(id) && output.has(id) && !isDeepStrictEqual(input.get(id), output.get(id)),
    );
  }

  get components(): Record<string, Schema> {
    const named = (["input", "output"] as const).flatMap((direction) =>
      [...this.#definitions[direction]].map(([id, definition]) => [this.#nameOf(id, direction), definition] as const),
    );
    const all: Record<string, Schema> = Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
    return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, withDiscriminator(schema, all)]));
  }

  #convert(schema: ZodType, io: Direction): Schema {
    // Wrapped, so that a schema with an id of its own becomes a reference like any other.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ it: schema }), { io, override: keepDefault }) as {
      $defs?: Record<string, Schema>;
      properties?: { it?: Schema };
    };
    for (const [id, definition] of Object.entries($defs)) this.#define(id, this.#normalized(definition, io), io);
    return this.#normalized(properties?.it ?? {}, io);
  }

  #define(id: string, definition: Schema, io: Direction): void {
    const known = this.#definitions[io].get(id);
    if (known !== undefined && !isDeepStrictEqual(known, definition)) throw new Error(`${id} is two schemas`);
    this.#definitions[io].set(id, definition);
  }

  #nameOf(id: string, io: Direction): string {
    return io === "input" && this.#split.has(id) ? `${id}Request` : id;
  }

  /** The schema as it is published: references lead to components, and no keyword repeats another one. */
  #normalized(schema: Schema, io: Direction): Schema {
    const entries = Object.entries(schema).filter(([keyword, value]) => !isRedundant(schema, keyword, value, io));
    return Object.fromEntries(entries.map(([keyword, value]) => [keyword, this.#normalizedValue(keyword, value, io)]));
  }

  #normalizedValue(keyword: string, value: unknown, io: Direction): unknown {
    switch (keyword) {
      case "$ref":
        return this.#componentOf(String(value), io);
      case "properties":
      case "patternProperties": {
        const entries = Object.entries(value as Record<string, Schema>);
        return Object.fromEntries(entries.map(([name, schema]) => [name, this.#normalized(schema, io)]));
      }
      case "oneOf":
      case "anyOf":
      case "allOf":
      case "prefixItems":
        return (value as Schema[]).map((schema) => this.#normalized(schema, io));
      case "items":
      case "additionalProperties":
      case "propertyNames":
      case "not":
        return typeof value === "object" ? this.#normalized(value as Schema, io) : value;
      default:
        return value;
    }
  }

  #componentOf(reference: string, io: Direction): string {
    if (!reference.startsWith(DEFINITION)) throw new Error(`${reference} can't be published: give its schema an id`);
    return `${COMPONENT}${this.#nameOf(reference.slice(DEFINITION.length), io)}`;
  }
}

function isRedundant(schema: Schema, keyword: string, value: unknown, io: Direction): boolean {
  switch (keyword) {
    case "id":
    case "$schema":
      return true;
    case "pattern":
      // The format of a date implies its pattern. A number in a query is text only on the wire, so it has none.
      return schema.type === "integer" || schema.format === "date-time" || schema.format === "date";
    case "maxLength":
      return schema.type === "integer";
    case "additionalProperties":
      return io === "output" && value === false;
    case "propertyNames":
      return Object.keys(value as object).length === 1;
    default:
      return false;
  }
}

/** Names the field in which all components of a `oneOf` have a constant. Code generators need it. */
function withDiscriminator(schema: Schema, components: Record<string, Schema>): Schema {
  const references = schema.oneOf?.map(({ $ref }) => $ref ?? "") ?? [];
  const shapes = references.map((reference) => components[reference.slice(COMPONENT.length)]);
  const constantOf = (shape: Schema | undefined, name: string) =>
    (shape?.properties?.[name] as Schema | undefined)?.const;
  const propertyName = Object.keys(shapes[0]?.properties ?? {}).find((name) =>
    shapes.every((shape) => typeof constantOf(shape, name) === "string"),
  );
  if (propertyName === undefined) return schema;
  const mapping = shapes.map((shape, index) => [String(constantOf(shape, propertyName)), references[index]]);
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/**
 * Publishes the default of a parameter, because zod leaves it out if the parameter is transformed. Defaults of a body
 * stand in descriptions only, because many client generators take a field with a default for required.
 */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: { default?: unknown };
}): void {
  const published = z.globalRegistry.get(zodSchema)?.default;
  if (published === undefined) delete jsonSchema.default;
  else jsonSchema.default = published;
}

/** Calls `make` again until every id in `clashes` is split. */
export function withSchemas<Made>(make: (schemas: Schemas) => Made): Made {
  const split = new Set<string>();
  for (;;) {
    const schemas = new Schemas(split);
    const made = make(schemas);
    if (schemas.clashes.length === 0) return made;
    for (const id of schemas.clashes) split.add(id);
  }
}
