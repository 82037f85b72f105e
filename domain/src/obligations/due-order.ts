import type { Instant } from "../shared/decision.ts";

/** The list of obligations: one list for all, ordered by due time, then by key. */
export const DUE_PARTITION = "all";

const DIGITS = 15;

/** Where an obligation stands in the list: text that sorts as its due time does. */
export function dueSort(dueAt: Instant, key: string): string {
  return `${dueSortFrom(dueAt)}/${key}`;
}

/** The lowest place of everything due at `instant` or later. */
export function dueSortFrom(instant: Instant): string {
  return String(instant).padStart(DIGITS, "0");
}
