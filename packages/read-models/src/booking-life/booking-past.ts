import type { PageRequest } from "@travel-booking/engines/read-store";
import type { PublicEvent } from "./public-events.ts";

/** `eventSortKey`s, exclusive; `after` continues in the order of the range. */
export type EventRange = Pick<PageRequest, "order" | "limit" | "after" | "before">;

/** What happened to a booking. */
export interface BookingPast {
  /** Entries of its history, oldest first. `sort` and `after`: `revisionSortKey` of the event. */
  history(range: { readonly after?: string; readonly limit: number }): Promise<readonly PastEntry[]>;
  /** Its public JSON after its last event at or before a moment; undefined before its creation. */
  jsonAsOf(moment: number): Promise<string | undefined>;
  /** The public events that are wanted, those of its payments included. */
  events(range: EventRange, isWanted: (event: PublicEvent) => boolean): Promise<readonly PublicEvent[]>;
}

export interface PastEntry {
  readonly sort: string;
  readonly json: string;
}
