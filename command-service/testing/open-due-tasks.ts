import {
  type BookingEvent,
  type DueTask,
  dueSortKey,
  dueTaskChanges,
  evolveSeatAssignment,
  type SeatAssignment,
  seatAssignmentChanges,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";

/** The tasks that are open after these events, soonest first: what the projector lists, folded from scratch. */
export function openDueTasks(
  events: readonly RecordedEvent[],
): readonly { readonly key: string; readonly task: DueTask }[] {
  const open = new Map<string, DueTask>();
  const seatings = new Map<string, SeatAssignment | undefined>();
  for (const event of events) {
    const id = event.stream.slice(event.stream.indexOf("-") + 1);
    const changes = [dueTaskChanges(event, id, event.metadata)];
    if (event.stream.startsWith("booking-")) {
      const before = seatings.get(id);
      const after = evolveSeatAssignment(before, event as unknown as BookingEvent);
      seatings.set(id, after);
      changes.push(seatAssignmentChanges(id, before, after));
    }
    for (const { opened, closed } of changes) {
      for (const key of closed) open.delete(key);
      for (const { key, task } of opened) open.set(key, task);
    }
  }
  return [...open]
    .map(([key, task]) => ({ key, task }))
    .sort((one, other) => (dueSortKey(one.task.dueAt, one.key) < dueSortKey(other.task.dueAt, other.key) ? -1 : 1));
}
