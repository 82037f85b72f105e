import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { Log } from "../log/log.ts";
import { isPosition, LAST_REVISION, type StoredEvent } from "../log/stored-event.ts";
import { deleted, type Failure, invalid, THROWN, unexpected } from "./failures.ts";
import { filterOf } from "./filter.ts";
import { firstStreamPosition, lastStreamPosition, streamName } from "./messages.ts";

/** What a read that is no subscription asks for. */
export type Selection =
  /** As a count of 0 is, on which a real server is busy until the call is cancelled. */
  | "never answered"
  /** `ending`: what a stream is behind them, encoded. */
  | { readonly events: readonly StoredEvent[]; readonly ending?: readonly Buffer[] }
  | { readonly missing: string }
  | { readonly failure: Failure };

const BACKWARDS = 1;

/** @param lastSeen position of the last event that this node has; null: it has all. */
export function select(log: Log, options: ReadReq.Options, lastSeen: bigint | null): Selection {
  const selection = selectFrom(log, options);
  if (selection === "never answered" || !("events" in selection) || lastSeen === null) return selection;
  return { ...selection, events: selection.events.filter(({ position }) => position <= lastSeen) };
}

function selectFrom(log: Log, options: ReadReq.Options): Selection {
  const count = Number(options.getCount());
  const all = options.getAll();
  if (all !== undefined) return selectFromAll(log, options, all, count);
  const stream = options.getStream();
  return stream === undefined ? { failure: invalid("no stream") } : selectFromStream(log, options, stream, count);
}

/** Forwards includes the position, backwards excludes it. */
function selectFromAll(log: Log, options: ReadReq.Options, all: ReadReq.Options.AllOptions, count: number): Selection {
  const matches = filterOf(options.getFilter());
  const position = all.getPosition();
  const from = position === undefined ? undefined : BigInt(position.getCommitPosition());
  const backwards = options.getReadDirection() === BACKWARDS;
  const { events } = log;
  if (count === 0) return "never answered";
  if (from !== undefined) {
    if (from < BigInt(position?.getPreparePosition() ?? 0)) return { failure: THROWN };
    if (from > (events.at(-1)?.position ?? 0n))
      return backwards ? { failure: unexpected("Unexpected ReadAllResult: Error") } : { events: [] };
    if (!isPosition(from)) return { failure: unexpected("Unexpected ReadAllResult: InvalidPosition") };
  }
  // Forwards there is nothing at the end.
  const index = from === undefined ? (all.hasEnd() ? events.length : 0) : log.indexOf(from);
  const selected: StoredEvent[] = [];
  for (let at = backwards ? index - 1 : index; selected.length < count; at += backwards ? -1 : 1) {
    const event = events[at];
    if (event === undefined) break;
    if (matches(event)) selected.push(event);
  }
  return { events: selected };
}

/** Includes the revision in both directions. */
function selectFromStream(
  log: Log,
  options: ReadReq.Options,
  from: ReadReq.Options.StreamOptions,
  count: number,
): Selection {
  const name = streamName(from.getStreamIdentifier());
  const backwards = options.getReadDirection() === BACKWARDS;
  if (count === 0 || (!backwards && from.hasEnd()))
    return { failure: unexpected("Unexpected ReadStreamResult: Error") };
  const stream = log.stream(name);
  if (stream.tombstoned) return { failure: deleted(name) };
  const readable = stream.readable();
  if (readable === undefined) return { missing: name };
  const revision = from.hasEnd() ? LAST_REVISION : from.hasStart() ? 0n : BigInt(from.getRevision());
  const selected = backwards
    ? readable.filter((event) => event.revision <= revision).reverse()
    : readable.filter((event) => event.revision >= revision);
  const last = stream.lastStoredRevision;
  const isBeyond = !backwards && revision > last;
  // Clients that do not say so can't read these messages.
  if ((options.getControlOption()?.getCompatibility() ?? 0) < 1) return { events: selected.slice(0, count) };
  return {
    events: selected.slice(0, count),
    ending: [...(isBeyond ? [firstStreamPosition(last + 1n)] : []), lastStreamPosition(last)],
  };
}
