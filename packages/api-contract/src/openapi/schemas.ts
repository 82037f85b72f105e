import { isDeepStrictEqual } from "node:util";
import { type ZodType, z } from "zod";
import { withDiscriminator } from "./discriminator.ts";
import { normalizedSchema } from "./normalize-schema.ts";
import type { Schema } from "./types.ts";

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
