import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { StoredEvent } from "../log/stored-event.ts";

/** Whether an event is asked for. */
export type Matches = (event: StoredEvent) => boolean;

/** The server's own default. */
const SEARCH_WINDOW = 32;

type Filter = ReadReq.Options.FilterOptions | undefined;

/** @throws SyntaxError its regular expression is none. */
export function filterOf(filter: Filter): Matches {
  if (filter === undefined) return () => true;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  const regex = expression?.getRegex() ?? "";
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = new RegExp(regex);
  const matches = (name: string) =>
    regex === "" ? prefixes.some((prefix) => name.startsWith(prefix)) : pattern.test(name);
  return ({ stream, type }) => matches(byStream === undefined ? type : stream);
}

/**
 * After so many events, asked for or not, there is a checkpoint. Undefined: there are none without a filter.
 * @throws RangeError there would be one after none.
 */
export function checkpointInterval(filter: Filter): number | undefined {
  if (filter === undefined) return undefined;
  const window = filter.hasMax() ? filter.getMax() : SEARCH_WINDOW;
  const interval = window * filter.getCheckpointintervalmultiplier();
  if (interval === 0) throw new RangeError("window and multiplier are positive");
  return interval;
}
