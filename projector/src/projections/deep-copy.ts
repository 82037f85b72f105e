/** A deep copy of a JSON value; for small ones several times as fast as `structuredClone`. Objects have fixed fields. */
export function deepCopy<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const result: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(value)) result[field] = copy(inner);
  return result;
}
