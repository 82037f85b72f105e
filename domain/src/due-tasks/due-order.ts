import type { Instant } from "../shared/decision.ts";
import type { DueTask } from "./due-task.ts";

/** The list of obligations, ordered by due time, then by key. */
export const DUE_PARTITION = "all";
/** Those that take long stand in a list of their own, so that they hold up no other. */
export const LONG_RUNNING_PARTITION = "lengthy";

/** The list an task stands in. */
export function partitionOf({ kind }: DueTask): string {
  return kind === "review_document" ? LONG_RUNNING_PARTITION : DUE_PARTITION;
}

const DIGITS = 15;

/** Where an task stands in the list: text that sorts as its due time does. */
export function dueSortKey(dueAt: Instant, key: string): string {
  return `${dueSortKeyFrom(dueAt)}/${key}`;
}

/** The lowest place of everything due at `instant` or later. */
export function dueSortKeyFrom(instant: Instant): string {
  return String(instant).padStart(DIGITS, "0");
}
