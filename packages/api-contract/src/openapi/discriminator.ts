import type { Schema } from "./types.ts";

const COMPONENT = "#/components/schemas/";

/** A choice between named shapes that one field tells apart says which field, for tools that make code of it. */
export function withDiscriminator(schema: Schema, components: Readonly<Record<string, Schema>>): Schema {
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
