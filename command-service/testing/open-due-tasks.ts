import {
  type BookingEvent,
  type DueTask,
  type DueTaskChanges,
  dueSortKey,
  dueTasksOfBooking,
  dueTasksOfFlight,
  dueTasksOfLoyalty,
  dueTasksOfPassenger,
  dueTasksOfPassengerEmail,
  dueTasksOfSeatAssignment,
  evolveSeatAssignment,
  type FlightEvent,
  type LoyaltyEvent,
  loyaltyDueTasksOfBooking,
  type PassengerEmailEvent,
  type PassengerEvent,
  type SeatAssignment,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";

/** What is still owed after these events, soonest first: the list the projector keeps, folded anew. */
export function openDueTasks(
  events: readonly RecordedEvent[],
): readonly { readonly key: string; readonly task: DueTask }[] {
  const open = new Map<string, DueTask>();
  const seatings = new Map<string, SeatAssignment | undefined>();
  for (const event of events) {
    for (const { opened, closed } of [changesOf(event), pointsChanges(event), seatingChanges(event, seatings)]) {
      for (const key of closed) open.delete(key);
      for (const { key, dueTask: task } of opened) open.set(key, task);
    }
  }
  return [...open]
    .map(([key, task]) => ({ key, task }))
    .sort((one, other) => (dueSortKey(one.task.dueAt, one.key) < dueSortKey(other.task.dueAt, other.key) ? -1 : 1));
}

function changesOf(event: RecordedEvent): DueTaskChanges {
  const dash = event.stream.indexOf("-");
  const [kind, id] = [event.stream.slice(0, dash), event.stream.slice(dash + 1)];
  switch (kind) {
    case "flight":
      return dueTasksOfFlight(id, event as unknown as FlightEvent);
    case "booking":
      return dueTasksOfBooking(id, event as unknown as BookingEvent, event.metadata.accountId);
    case "passenger":
      return dueTasksOfPassenger(event as unknown as PassengerEvent);
    case "passengerEmail":
      return dueTasksOfPassengerEmail(event as unknown as PassengerEmailEvent);
    default:
      return { opened: [], closed: [] };
  }
}

function pointsChanges(event: RecordedEvent): DueTaskChanges {
  if (event.stream.startsWith("loyalty-")) return dueTasksOfLoyalty(event as unknown as LoyaltyEvent);
  const id = event.stream.slice("booking-".length);
  return event.stream.startsWith("booking-")
    ? loyaltyDueTasksOfBooking(id, event as unknown as BookingEvent)
    : { opened: [], closed: [] };
}

function seatingChanges(event: RecordedEvent, seatings: Map<string, SeatAssignment | undefined>): DueTaskChanges {
  if (!event.stream.startsWith("booking-")) return { opened: [], closed: [] };
  const id = event.stream.slice("booking-".length);
  const before = seatings.get(id);
  const after = evolveSeatAssignment(before, event as unknown as BookingEvent);
  seatings.set(id, after);
  return dueTasksOfSeatAssignment(id, before, after);
}
