import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { StoredEvent } from "../log/stored-event.ts";

/** Whether an event is asked for. */
export type Matches = (event: StoredEvent) => boolean;

/** The server's own default. */
const SEARCH_WINDOW = 32;

export function filterOf(options: ReadReq.Options): Matches {
  const filter = options.getFilter();
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

/** After so many events, asked for or not, there is a checkpoint. Undefined: there are none without a filter. */
export function checkpointInterval(options: ReadReq.Options): number | undefined {
  const filter = options.getFilter();
  if (filter === undefined) return undefined;
  const window = filter.hasMax() ? filter.getMax() : SEARCH_WINDOW;
  return window * filter.getCheckpointintervalmultiplier();
}
