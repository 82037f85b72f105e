import {
  affectsSeatAssignment,
  type BookingEvent,
  type DueTaskChanges,
  dueSortKey,
  dueTaskChanges,
  dueTaskFacts,
  dueTaskKey,
  evolveSeatAssignment,
  type Instant,
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
  type DocumentKey,
  type Documents,
  fixedModels,
  type Handler,
  type Projection,
  recorded,
  removal,
  wholeDocument,
} from "../projection.ts";

const { model, byDueTime } = DUE_TASKS.due;
const { model: seatingModel } = DUE_TASKS.seating;

/** Due tasks have their due time as state: it tells their place on the list when they are closed. */
function placeOf(key: string, dueAt: Instant) {
  return { [byDueTime]: { partition: partitionOf(key), sort: dueSortKey(dueAt, key) } };
}

/** What an event opens and closes by itself. */
function changesOf(event: RecordedEvent): DueTaskChanges {
  return dueTaskChanges(event, aggregateIdOf(event), event.metadata);
}

/** No task of an aggregate is open before its first event. */
function taskReads(event: RecordedEvent): DocumentKey[] {
  const { opened, closed } = changesOf(event);
  const keys = event.revision === 0 ? closed : [...closed, ...opened.map(({ key }) => key)];
  return keys.map((key) => ({ model, key }));
}

function taskWrites({ opened, closed }: DueTaskChanges, event: RecordedEvent, documents: Documents): Write[] {
  const writes = closed.flatMap((key) => closing(key, event, documents));
  for (const { key, task } of opened) {
    const { position } = event;
    if (event.revision > 0) writes.push(...closing(key, event, documents));
    const { dueAt } = task;
    const document = { key, position, body: dueTaskFacts(key, task), state: dueAt, indexes: placeOf(key, dueAt) };
    writes.push(wholeDocument(model, document));
  }
  return writes;
}

/** Nothing for a task that is not open. */
function closing(key: string, { position }: RecordedEvent, documents: Documents): Write[] {
  const dueAt = documents.state<Instant>(model, key);
  return dueAt === undefined ? [] : [removal(documents, { model, key }, position, placeOf(key, dueAt))];
}

/** When a booking is due seats follows from several of its events together; what is stored of it is folded. */
function seatingReads(event: RecordedEvent): DocumentKey[] {
  if (event.revision === 0 || !affectsSeatAssignment(event)) return [];
  const id = aggregateIdOf(event);
  const tasks = (["assign_seats", ...TELLING_TASKS] as const).map((kind) => ({ model, key: dueTaskKey(kind, id) }));
  return [{ model: seatingModel, key: id }, ...(event.type === "CabinUpgraded" ? tasks : tasks.slice(0, 1))];
}

/** They tell when a booking departs, and whether it is still to be paid. */
const TELLING_TASKS = ["earn_points", "expire_booking"] as const;

function seatingChanges(event: RecordedEvent, documents: Documents): readonly Change[] {
  const key = aggregateIdOf(event);
  if (!affectsSeatAssignment(event)) return [];
  const stored = event.revision === 0 ? undefined : documents.state<SeatAssignment>(seatingModel, key);
  const before = stored ?? (event.type === "CabinUpgraded" ? seatedBefore(event, documents) : undefined);
  const after = evolveSeatAssignment(before, recorded<BookingEvent>(event));
  const changes: Change[] = taskWrites(seatAssignmentChanges(key, before, after), event, documents);
  // A booking that has seats needs nothing until it gives them up.
  if (after?.seated === false) changes.push({ kind: "fold", model: seatingModel, key, state: after });
  else if (stored !== undefined) changes.push(removal(documents, { model: seatingModel, key }, event.position));
  return changes;
}

/** Of a booking that has given up its seats. */
function seatedBefore(event: RecordedEvent, documents: Documents): SeatAssignment | undefined {
  const [departsAt, expiresAt] = TELLING_TASKS.map((kind) =>
    documents.state<Instant>(model, dueTaskKey(kind, aggregateIdOf(event))),
  );
  if (departsAt === undefined) return undefined;
  return { departsAt, confirmedAt: expiresAt === undefined ? event.at : null, seated: true };
}

const anyStream: Handler = {
  reads: taskReads,
  apply: (event, documents) => taskWrites(changesOf(event), event, documents),
};

/** The open due tasks: a document appears with the event that opens its task and goes with the event that closes it. */
export const dueTasks: Projection = {
  name: DUE_TASKS.projection,
  version: DUE_TASKS.version,
  models: fixedModels(DUE_TASKS.due, DUE_TASKS.seating),
  handlers: {
    flight: anyStream,
    loyalty: anyStream,
    passenger: anyStream,
    passengerEmail: anyStream,
    booking: {
      reads: (event) => [...taskReads(event), ...seatingReads(event)],
      apply: (event, documents) => [
        ...taskWrites(changesOf(event), event, documents),
        ...seatingChanges(event, documents),
      ],
    },
  },
};
