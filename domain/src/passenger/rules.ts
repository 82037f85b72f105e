import type { Metadata } from "../booking/events.ts";
import type { Instant } from "../shared/decision.ts";
import type { PassengerDetails } from "./details.ts";

/** docs/rules.md#metadata. */
export const MAX_METADATA_KEYS = 20;

/** What is there, changed by what is sent: keys stay where they are, new ones come last, an empty value removes its key. */
export function mergeMetadata(present: Metadata, sent: Metadata): Metadata {
  const merged = new Map(present);
  for (const [key, value] of sent) {
    if (value === "") merged.delete(key);
    else merged.set(key, value);
  }
  return [...merged];
}

/** Whether a day (`YYYY-MM-DD`) is still to come, in UTC. */
export function isFutureDay(day: string, at: Instant): boolean {
  return day > new Date(at).toISOString().slice(0, 10);
}

/** Why a profile can't say this; undefined where it can. */
export function detailsProblem(
  { dateOfBirth, metadata }: Pick<PassengerDetails, "dateOfBirth" | "metadata">,
  at: Instant,
): "born_in_future" | "too_much_metadata" | undefined {
  if (isFutureDay(dateOfBirth, at)) return "born_in_future";
  return metadata.length > MAX_METADATA_KEYS ? "too_much_metadata" : undefined;
}
