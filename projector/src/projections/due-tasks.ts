import {
  affectsSeatAssignment,
  type BookingEvent,
  type DueTaskChanges,
  dueSortKey,
  dueTaskChanges,
  dueTaskFacts,
  dueTaskKey,
  evolveSeatAssignment,
  givesUpSeats,
  type Instant,
  partitionOf,
  type SeatAssignment,
  seatAssignmentChanges,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { DUE_TASKS } from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Change,
  type DocumentKey,
  type Documents,
  fixedModels,
  type Handler,
  type Projection,
  recorded,
} from "../projection.ts";

const { model, byDueTime } = DUE_TASKS.due;
const { model: seatingModel } = DUE_TASKS.seating;

/** The tasks that one event alone opens and closes. */
function changesOf(event: RecordedEvent): DueTaskChanges {
  return dueTaskChanges(event, aggregateIdOf(event), event.metadata);
}

/** The tasks that are no longer open, or that are opened again. Before its first event an aggregate has none. */
function endedTasks({ opened, closed }: DueTaskChanges, { revision }: RecordedEvent): DocumentKey[] {
  const keys = revision === 0 ? closed : [...closed, ...opened.map(({ key }) => key)];
  return keys.map((key) => ({ model, key }));
}

/** The state of a task is its due time, because that is its place on the list. */
function taskChanges(changes: DueTaskChanges, event: RecordedEvent): Change[] {
  return [
    ...endedTasks(changes, event).map((task): Change => ({ kind: "delete", ...task })),
    ...changes.opened.map(({ key, task }): Change => {
      return { kind: "put", model, key, body: dueTaskFacts(key, task), state: task.dueAt };
    }),
  ];
}

/** When a booking gets seats follows from several of its events together, so a stored state is folded. */
function seatingReads(event: RecordedEvent): DocumentKey[] {
  if (event.revision === 0 || !affectsSeatAssignment(event)) return [];
  const id = aggregateIdOf(event);
  const tasks = (["assign_seats", ...TELLING_TASKS] as const).map((kind) => ({ model, key: dueTaskKey(kind, id) }));
  const givesUp = givesUpSeats(recorded<BookingEvent>(event));
  return [{ model: seatingModel, key: id }, ...(givesUp ? tasks : tasks.slice(0, 1))];
}

/** These tasks show when a booking departs, and whether it still has to be paid. */
const TELLING_TASKS = ["earn_points", "expire_booking"] as const;

function seatingChanges(event: RecordedEvent, documents: Documents): readonly Change[] {
  const key = aggregateIdOf(event);
  if (!affectsSeatAssignment(event)) return [];
  const stored = event.revision === 0 ? undefined : documents.state<SeatAssignment>(seatingModel, key);
  const fact = recorded<BookingEvent>(event);
  const before = stored ?? (givesUpSeats(fact) ? seatedBefore(event, documents) : undefined);
  const after = evolveSeatAssignment(before, fact);
  const changes = taskChanges(seatAssignmentChanges(key, before, after), event);
  // A booking with seats needs no task until it gives them up; one without a place is about to.
  if (after !== undefined && (!after.seated || after.unplaced))
    changes.push({ kind: "put", model: seatingModel, key, state: after });
  else if (stored !== undefined) changes.push({ kind: "delete", model: seatingModel, key });
  return changes;
}

/** The seat assignment of a booking that has given up its seats. */
function seatedBefore(event: RecordedEvent, documents: Documents): SeatAssignment | undefined {
  const [departsAt, expiresAt] = TELLING_TASKS.map((kind) =>
    documents.state<Instant>(model, dueTaskKey(kind, aggregateIdOf(event))),
  );
  if (departsAt === undefined) return undefined;
  return { departsAt, confirmedAt: expiresAt === undefined ? event.at : null, seated: true };
}

const anyStream: Handler = {
  reads: (event) => endedTasks(changesOf(event), event),
  apply: (event) => taskChanges(changesOf(event), event),
};

/** The open due tasks: a document appears with the event that opens its task and goes with the event that closes it. */
export const dueTasks: Projection = {
  name: DUE_TASKS.projection,
  version: DUE_TASKS.version,
  models: {
    [model]: {
      fixedIndexes: true,
      represent(dueAt: Instant, { key }) {
        return { indexes: { [byDueTime]: { partition: partitionOf(key), sort: dueSortKey(dueAt, key) } } };
      },
    },
    ...fixedModels(DUE_TASKS.seating),
  },
  handlers: {
    bankEntry: anyStream,
    flight: anyStream,
    loyalty: anyStream,
    passenger: anyStream,
    passengerEmail: anyStream,
    booking: {
      reads: (event) => [...anyStream.reads(event), ...seatingReads(event)],
      apply: (event, documents) => [...anyStream.apply(event, documents), ...seatingChanges(event, documents)],
    },
  },
};
