import {
  type BookingEvent,
  dueSort,
  type FlightEvent,
  type Obligation,
  type ObligationChanges,
  obligationsOfBooking,
  obligationsOfFlight,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/event-store";

/** What is still owed after these events, soonest first: the list the projector keeps, folded anew. */
export function openObligations(
  events: readonly RecordedEvent[],
): readonly { readonly key: string; readonly obligation: Obligation }[] {
  const open = new Map<string, Obligation>();
  for (const event of events) {
    const { opened, closed } = changesOf(event);
    for (const key of closed) open.delete(key);
    for (const { key, obligation } of opened) open.set(key, obligation);
  }
  return [...open]
    .map(([key, obligation]) => ({ key, obligation }))
    .sort((one, other) =>
      dueSort(one.obligation.dueAt, one.key) < dueSort(other.obligation.dueAt, other.key) ? -1 : 1,
    );
}

function changesOf(event: RecordedEvent): ObligationChanges {
  const dash = event.stream.indexOf("-");
  const [kind, id] = [event.stream.slice(0, dash), event.stream.slice(dash + 1)];
  switch (kind) {
    case "flight":
      return obligationsOfFlight(id, event as unknown as FlightEvent);
    case "booking":
      return obligationsOfBooking(id, event as unknown as BookingEvent);
    default:
      return { opened: [], closed: [] };
  }
}
