import type { StoredEvent } from "./stored-event.ts";
import type { Accepted, Stream } from "./stream.ts";

export type ExpectedRevision = bigint | "any" | "no_stream" | "stream_exists";

/** What becomes of an append. */
export type AppendDecision =
  | { readonly kind: "append" }
  /** These events are there already. */
  | { readonly kind: "repeated"; readonly last: StoredEvent }
  /** They are accepted and not durable yet: a real server drops the second attempt, and lets it run into a time-out. */
  | { readonly kind: "under way" }
  | { readonly kind: "wrong version" }
  | { readonly kind: "deleted" };

/** Judges as a real server was observed to. */
export function decideAppend(stream: Stream, expected: ExpectedRevision, ids: readonly string[]): AppendDecision {
  if (stream.tombstoned) return { kind: "deleted" };
  const last = stream.lastRevision;
  if (expected === "stream_exists" && last < 0n) return { kind: "wrong version" };
  if (expected === "stream_exists" && stream.isSoftDeleted) return { kind: "deleted" };
  if (expected === "any" || expected === "stream_exists") return decideAnywhere(stream, ids);
  const revision = expected === "no_stream" ? -1n : expected;
  if (revision === last) return { kind: "append" };
  if (revision > last) return { kind: "wrong version" };
  const verdict = decideAt(stream, Number(revision) + 1, ids);
  const isNew = verdict.kind === "wrong version" && expected === "no_stream" && stream.isSoftDeleted;
  return isNew && !stream.accepted.some(({ id }) => ids.includes(id)) ? { kind: "append" } : verdict;
}

/** The first one decides whether they are old; if so, all have to be, in whatever order. */
function decideAnywhere(stream: Stream, ids: readonly string[]): AppendDecision {
  const there = ids.map((id) => stream.accepted.findLast((accepted) => accepted.id === id));
  return there[0] === undefined ? { kind: "append" } : decideRepetition(there, ids);
}

function decideAt(stream: Stream, first: number, ids: readonly string[]): AppendDecision {
  return decideRepetition(stream.accepted.slice(first, first + ids.length), ids);
}

/** @param there what stands where these would have been stored before. */
function decideRepetition(there: readonly (Accepted | undefined)[], ids: readonly string[]): AppendDecision {
  if (ids.some((id, index) => there[index]?.id !== id)) return { kind: "wrong version" };
  const last = there.at(-1)?.stored;
  return last === undefined ? { kind: "under way" } : { kind: "repeated", last };
}
