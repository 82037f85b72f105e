import type { Instant } from "../shared/decision.ts";
import type { Obligation } from "./obligation.ts";

/** The list of obligations, ordered by due time, then by key. */
export const DUE_PARTITION = "all";
/** Those that take long stand in a list of their own, so that they hold up no other. */
export const LENGTHY_PARTITION = "lengthy";

/** The list an obligation stands in. */
export function partitionOf({ kind }: Obligation): string {
  return kind === "review_document" ? LENGTHY_PARTITION : DUE_PARTITION;
}

const DIGITS = 15;

/** Where an obligation stands in the list: text that sorts as its due time does. */
export function dueSort(dueAt: Instant, key: string): string {
  return `${dueSortFrom(dueAt)}/${key}`;
}

/** The lowest place of everything due at `instant` or later. */
export function dueSortFrom(instant: Instant): string {
  return String(instant).padStart(DIGITS, "0");
}
