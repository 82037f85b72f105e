/** What one visible field was and what it became; a field that had no value was null. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** A public object, by its field names. */
export type Shape = Readonly<Record<string, unknown>>;

/**
 * The visible fields in which two shapes of one object differ. `before` null: the object came into being, so every
 * field with a value changed.
 */
export function changesBetween(before: Shape | null, after: Shape): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  for (const field of new Set([...Object.keys(before ?? {}), ...Object.keys(after)])) {
    const from = before?.[field] ?? null;
    const to = after[field] ?? null;
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from, to };
  }
  return changes;
}
