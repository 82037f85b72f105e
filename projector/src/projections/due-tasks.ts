import {
  affectsSeatAssignment,
  type BookingEvent,
  type DueTaskChanges,
  dueSortKey,
  dueTaskChanges,
  evolveSeatAssignment,
  partitionOf,
  type SeatAssignment,
  seatAssignmentChanges,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { Write } from "@travel-booking/engines/read-store";
import { DUE_TASKS } from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Change,
  type Documents,
  foldedModel,
  type Handler,
  type Projection,
  recorded,
  wholeDocument,
} from "../projection.ts";

const { model, byDueTime } = DUE_TASKS.due;
const { model: seatingModel } = DUE_TASKS.seating;

/** What an event opens and closes by itself. */
function taskWrites(event: RecordedEvent): readonly Write[] {
  return writes(dueTaskChanges(event, aggregateIdOf(event), event.metadata.accountId), event.position);
}

/** When a booking is due seats follows from several of its events together, so it is folded. */
function seatingChanges(event: RecordedEvent, documents: Documents): readonly Change[] {
  const key = aggregateIdOf(event);
  if (!affectsSeatAssignment(event) || documents.hasApplied(seatingModel, key)) return [];
  const before = documents.state<SeatAssignment | null>(seatingModel, key) ?? undefined;
  const after = evolveSeatAssignment(before, recorded<BookingEvent>(event));
  return [
    ...writes(seatAssignmentChanges(key, before, after), event.position),
    { kind: "fold", model: seatingModel, key, state: after ?? null },
  ];
}

function writes({ opened, closed }: DueTaskChanges, position: bigint): readonly Write[] {
  return [
    ...closed.map((key): Write => ({ kind: "delete", model, key, position })),
    ...opened.map(({ key, task }) =>
      wholeDocument(model, {
        key,
        position,
        body: JSON.stringify(task),
        indexes: { [byDueTime]: { partition: partitionOf(task), sort: dueSortKey(task.dueAt, key) } },
      }),
    ),
  ];
}

const anyStream: Handler = { apply: taskWrites };

/** The open due tasks: a document appears with the event that opens its task and goes with the event that closes it. */
export const dueTasks: Projection = {
  name: DUE_TASKS.projection,
  version: 3,
  models: {
    [model]: { indexes: [byDueTime] },
    [seatingModel]: foldedModel<SeatAssignment | null>([], () => ({ body: null, indexes: {}, staleAt: null })),
  },
  handlers: {
    flight: anyStream,
    loyalty: anyStream,
    passenger: anyStream,
    passengerEmail: anyStream,
    booking: {
      reads: (event) => (affectsSeatAssignment(event) ? [{ model: seatingModel, key: aggregateIdOf(event) }] : []),
      apply: (event, documents) => [...taskWrites(event), ...seatingChanges(event, documents)],
    },
  },
};
