/** Everything in it that is an object with fields of its own has no others: stricter than what is published. */
export function withoutAdditionalProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdditionalProperties);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutAdditionalProperties(inner)]),
  );
  const isSchema = copy.type === "object" && typeof copy.properties === "object";
  return isSchema && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}
