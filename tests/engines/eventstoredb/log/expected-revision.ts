import type { StoredEvent } from "./stored-event.ts";
import type { Stream } from "./stream.ts";

export type Expected = bigint | "any" | "no_stream" | "stream_exists";

/** What becomes of an append. */
export type Verdict =
  | { readonly kind: "append" }
  /** These events are there already. */
  | { readonly kind: "repeated"; readonly last: StoredEvent }
  /** They are accepted and not durable yet: a real server drops the second attempt, and lets it run into a time-out. */
  | { readonly kind: "under way" }
  | { readonly kind: "wrong version" }
  | { readonly kind: "deleted" };

/** Judges as a real server was observed to. */
export function judge(stream: Stream, expected: Expected, ids: readonly string[]): Verdict {
  if (stream.tombstoned) return { kind: "deleted" };
  const last = stream.lastRevision;
  if (expected === "stream_exists" && (last < 0n || stream.isSoftDeleted)) return { kind: "wrong version" };
  if (expected === "any" || expected === "stream_exists") return judgeAnywhere(stream, ids);
  const revision = expected === "no_stream" ? -1n : expected;
  if (revision === last) return { kind: "append" };
  if (revision > last) return { kind: "wrong version" };
  const verdict = judgeAt(stream, Number(revision) + 1, ids);
  const isNew = verdict.kind === "wrong version" && expected === "no_stream" && stream.isSoftDeleted;
  return isNew && !stream.accepted.some(({ id }) => ids.includes(id)) ? { kind: "append" } : verdict;
}

function judgeAnywhere(stream: Stream, ids: readonly string[]): Verdict {
  const first = stream.accepted.findLastIndex(({ id }) => id === ids[0]);
  return first < 0 ? { kind: "append" } : judgeAt(stream, first, ids);
}

function judgeAt(stream: Stream, first: number, ids: readonly string[]): Verdict {
  const there = stream.accepted.slice(first, first + ids.length);
  if (there.length < ids.length || there.some(({ id }, index) => id !== ids[index])) return { kind: "wrong version" };
  const last = there.at(-1)?.stored;
  return last === undefined ? { kind: "under way" } : { kind: "repeated", last };
}
