import {
  type BookingEvent,
  dueSort,
  evolveSeating,
  type FlightEvent,
  type LoyaltyEvent,
  loyaltyObligationsOfBooking,
  type Obligation,
  type ObligationChanges,
  obligationsOfBooking,
  obligationsOfFlight,
  obligationsOfLoyalty,
  obligationsOfPassenger,
  obligationsOfPassengerEmail,
  obligationsOfSeating,
  type PassengerEmailEvent,
  type PassengerEvent,
  type Seating,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";

/** What is still owed after these events, soonest first: the list the projector keeps, folded anew. */
export function openObligations(
  events: readonly RecordedEvent[],
): readonly { readonly key: string; readonly obligation: Obligation }[] {
  const open = new Map<string, Obligation>();
  const seatings = new Map<string, Seating | undefined>();
  for (const event of events) {
    for (const { opened, closed } of [changesOf(event), pointsChanges(event), seatingChanges(event, seatings)]) {
      for (const key of closed) open.delete(key);
      for (const { key, obligation } of opened) open.set(key, obligation);
    }
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
      return obligationsOfBooking(id, event as unknown as BookingEvent, event.metadata.accountId);
    case "passenger":
      return obligationsOfPassenger(event as unknown as PassengerEvent);
    case "passengerEmail":
      return obligationsOfPassengerEmail(event as unknown as PassengerEmailEvent);
    default:
      return { opened: [], closed: [] };
  }
}

function pointsChanges(event: RecordedEvent): ObligationChanges {
  if (event.stream.startsWith("loyalty-")) return obligationsOfLoyalty(event as unknown as LoyaltyEvent);
  const id = event.stream.slice("booking-".length);
  return event.stream.startsWith("booking-")
    ? loyaltyObligationsOfBooking(id, event as unknown as BookingEvent)
    : { opened: [], closed: [] };
}

function seatingChanges(event: RecordedEvent, seatings: Map<string, Seating | undefined>): ObligationChanges {
  if (!event.stream.startsWith("booking-")) return { opened: [], closed: [] };
  const id = event.stream.slice("booking-".length);
  const before = seatings.get(id);
  const after = evolveSeating(before, event as unknown as BookingEvent);
  seatings.set(id, after);
  return obligationsOfSeating(id, before, after);
}
