import type { OpenApiDocument, Reference } from "@travel-booking/api-contract";

/** What a reference inside the document stands for; anything else as it is. */
export function resolve<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  if (!isReference(value)) return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  const components = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found as Value;
}

/** The name of the schema a reference leads to. */
export function schemaName(reference: string): string {
  return reference.slice("#/components/schemas/".length);
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && typeof (value as Partial<Reference>).$ref === "string";
}
