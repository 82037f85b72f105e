import type { Schema } from "./types.ts";

export interface NormalizeOptions {
  /** What a definition is called among the components, by its id. */
  nameOf(id: string): string;
  /** Whether objects may have more fields than are named. */
  readonly open: boolean;
}

const DEFINITION = "#/$defs/";

/** A schema as it is published: components for definitions, and none of what only says again what is said already. */
export function normalizedSchema(schema: Schema, how: NormalizeOptions): Schema {
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
