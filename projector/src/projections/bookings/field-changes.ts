/** What one visible field was and what it became; a field that had no value was null. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** A public object, by its field names. */
export type PublicObject = Readonly<Record<string, unknown>>;

const NOTHING: PublicObject = {};

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The visible fields in which two shapes of one object differ. `before` null: the object came into being, so every
 * field with a value changed.
 */
export function changesBetween(before: PublicObject | null, after: PublicObject): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  const earlier = before ?? NOTHING;
  for (const field in after) {
    const from = earlier[field] ?? null;
    const to = after[field] ?? null;
    if (!isEqual(from, to)) changes[field] = { from, to };
  }
  for (const field in earlier) {
    if (!(field in after) && earlier[field] != null) changes[field] = { from: earlier[field], to: null };
  }
  return changes;
}
