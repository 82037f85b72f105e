import { isDeepStrictEqual } from "node:util";
import { type ZodType, z } from "zod";
import type { Schema } from "./types.ts";

interface NormalizeOptions {
  /** What a definition is called among the components, by its id. */
  nameOf(id: string): string;
  /** Whether objects may have more fields than are named. */
  readonly open: boolean;
}

const DEFINITION = "#/$defs/";

/** A schema as it is published: components for definitions, and none of what only says again what is said already. */
function normalizedSchema(schema: Schema, how: NormalizeOptions): Schema {
  const told = Object.entries(schema).filter(([keyword, value]) => !isRedundant(schema, keyword, value, how));
  return Object.fromEntries(told.map(([keyword, value]) => [keyword, normalizedValue(keyword, value, how)]));
}

function isRedundant(schema: Schema, keyword: string, value: unknown, { open }: NormalizeOptions): boolean {
  switch (keyword) {
    case "id":
    case "$schema":
      return true;
    case "pattern":
      // A calendar's rules are in the format; a query's number is text only on its way.
      return schema.type === "integer" || schema.format === "date-time" || schema.format === "date";
    case "additionalProperties":
      return open && value === false;
    case "propertyNames":
      return Object.keys(value as object).length === 1;
    default:
      return false;
  }
}

function normalizedValue(keyword: string, value: unknown, how: NormalizeOptions): unknown {
  switch (keyword) {
    case "$ref":
      return referenceTo(String(value), how);
    case "properties":
    case "patternProperties":
      return mapped(value as Readonly<Record<string, Schema>>, how);
    case "oneOf":
    case "anyOf":
    case "allOf":
    case "prefixItems":
      return (value as readonly Schema[]).map((entry) => normalizedSchema(entry, how));
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "not":
      return typeof value === "object" ? normalizedSchema(value as Schema, how) : value;
    default:
      return value;
  }
}

function mapped(schemas: Readonly<Record<string, Schema>>, how: NormalizeOptions): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, normalizedSchema(schema, how)]));
}

function referenceTo(reference: string, { nameOf }: NormalizeOptions): string {
  if (!reference.startsWith(DEFINITION)) throw new Error(`${reference} can't be published: give its schema an id`);
  return `#/components/schemas/${nameOf(reference.slice(DEFINITION.length))}`;
}

const COMPONENT = "#/components/schemas/";

/** A choice between named shapes that one field tells apart says which field, for tools that make code of it. */
function withDiscriminator(schema: Schema, components: Readonly<Record<string, Schema>>): Schema {
  const references = schema.oneOf?.map(({ $ref }) => $ref ?? "") ?? [];
  const shapes = references.map((reference) => components[reference.slice(COMPONENT.length)]);
  const [first] = shapes;
  const propertyName = Object.keys(first?.properties ?? {}).find((name) =>
    shapes.every((shape) => typeof shape?.properties?.[name]?.const === "string"),
  );
  if (propertyName === undefined) return schema;
  const mapping = shapes.map((shape, index) => [String(shape?.properties?.[propertyName]?.const), references[index]]);
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

type Direction = "input" | "output";
type Definitions = Map<string, Schema>;

/**
 * The schemas of the document, made from those that validate. What has an `id` becomes a component of that name; one
 * that requests and answers share becomes two where they differ, the request's with `ProjectorRequest` behind its name.
 */
export class Schemas {
  readonly #apart: ReadonlySet<string>;
  readonly #definitions: Readonly<Record<Direction, Definitions>> = { input: new Map(), output: new Map() };

  /** @param apart ids of those that have to be two; which they are is known once everything has been asked for. */
  constructor(apart: ReadonlySet<string> = new Set()) {
    this.#apart = apart;
  }

  /** What a client may send: nothing but what is named. */
  request(schema: ZodType): Schema {
    return this.#convert(schema, "input");
  }

  /** What is answered. Open: a later version of the service may add a field. */
  response(schema: ZodType): Schema {
    return this.#convert(schema, "output");
  }

  /** Ids that stand for one shape in requests and for another in answers, and are not told apart yet. */
  get clashes(): readonly string[] {
    const { input, output } = this.#definitions;
    return [...input.keys()].filter(
      (id) => !this.#apart.has(id) && output.has(id) && !isDeepStrictEqual(input.get(id), output.get(id)),
    );
  }

  get components(): Readonly<Record<string, Schema>> {
    const named = (["input", "output"] as const).flatMap((io) =>
      [...this.#definitions[io]].map(([id, definition]) => [this.#nameOf(id, io), definition] as const),
    );
    const all: Readonly<Record<string, Schema>> = Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
    return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, withDiscriminator(schema, all)]));
  }

  #convert(schema: ZodType, io: Direction): Schema {
    // Wrapped, so that a schema that has a name of its own is referred to like any other.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      override: keepDefault,
    }) as Schema & {
      readonly $defs?: Readonly<Record<string, Schema>>;
    };
    const how = { nameOf: (id: string) => this.#nameOf(id, io), open: io === "output" };
    for (const [id, raw] of Object.entries($defs)) this.#define(id, normalizedSchema(raw, how), this.#definitions[io]);
    return normalizedSchema(properties?.it ?? {}, how);
  }

  #define(id: string, definition: Schema, definitions: Definitions): void {
    const known = definitions.get(id);
    if (known !== undefined && !isDeepStrictEqual(known, definition)) throw new Error(`${id} is two schemas`);
    definitions.set(id, definition);
  }

  #nameOf(id: string, io: Direction): string {
    return io === "input" && this.#apart.has(id) ? `${id}Request` : id;
  }
}

/** What a parameter is read as where it is left out is told, though it is a text on its way. */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: { default?: unknown };
}): void {
  const told = z.globalRegistry.get(zodSchema)?.default;
  if (told !== undefined) jsonSchema.default = told;
}

/** Makes something of schemas, as often as it takes to know which of them are two. */
export function withSchemas<Made>(make: (schemas: Schemas) => Made): Made {
  const apart = new Set<string>();
  for (;;) {
    const schemas = new Schemas(apart);
    const made = make(schemas);
    if (schemas.clashes.length === 0) return made;
    for (const id of schemas.clashes) apart.add(id);
  }
}
