import {
  affectsSeatAssignment,
  type BookingEvent,
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
  partitionOf,
  type SeatAssignment,
} from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import { DUE_TASKS } from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Change,
  type Documents,
  foldedModel,
  type Projection,
  type Recorded,
  recorded,
  wholeDocument,
} from "../projection.ts";

const { model, byDueTime } = DUE_TASKS.due;
const { model: seatingModel } = DUE_TASKS.seating;

/** A booking that is owed nothing more, or nothing yet. */
const NO_SEATING = null;

/** What is closed goes first: an task may be replaced by one of the same name. */
function writes({ opened, closed }: DueTaskChanges, position: bigint): Write[] {
  const ends = closed.map((key): Write => ({ kind: "delete", model, key, position }));
  const beginnings = opened.map(({ key, dueTask: task }) =>
    wholeDocument(model, {
      key,
      position,
      body: JSON.stringify(task),
      indexes: { [byDueTime]: { partition: partitionOf(task), sort: dueSortKey(task.dueAt, key) } },
    }),
  );
  return [...ends, ...beginnings];
}

/** When a booking is owed seats follows from several of its events together, so it is folded. */
function seatingChanges(event: Recorded<BookingEvent>, documents: Documents): readonly Change[] {
  const key = aggregateIdOf(event);
  if (!affectsSeatAssignment(event) || documents.hasApplied(seatingModel, key)) return [];
  const before = documents.state<SeatAssignment | null>(seatingModel, key) ?? undefined;
  const after = evolveSeatAssignment(before, event);
  return [
    ...writes(dueTasksOfSeatAssignment(key, before, after), event.position),
    { kind: "fold", model: seatingModel, key, state: after ?? NO_SEATING },
  ];
}

/** What is still to be done: a row appears with the event that makes it necessary, and goes with the one that shows it done. */
export const dueTasks: Projection = {
  name: DUE_TASKS.projection,
  version: 3,
  models: {
    [model]: { indexes: [byDueTime] },
    [seatingModel]: foldedModel<SeatAssignment | null>([], () => ({ body: null, indexes: {}, staleAt: null })),
  },
  handlers: {
    flight: {
      apply: (event) => writes(dueTasksOfFlight(aggregateIdOf(event), recorded<FlightEvent>(event)), event.position),
    },
    loyalty: { apply: (event) => writes(dueTasksOfLoyalty(recorded<LoyaltyEvent>(event)), event.position) },
    passenger: { apply: (event) => writes(dueTasksOfPassenger(recorded<PassengerEvent>(event)), event.position) },
    passengerEmail: {
      apply: (event) => writes(dueTasksOfPassengerEmail(recorded<PassengerEmailEvent>(event)), event.position),
    },
    booking: {
      reads: (event) => (affectsSeatAssignment(event) ? [{ model: seatingModel, key: aggregateIdOf(event) }] : []),
      apply: (event, documents) => [
        ...writes(
          dueTasksOfBooking(aggregateIdOf(event), recorded<BookingEvent>(event), event.metadata.accountId),
          event.position,
        ),
        ...writes(loyaltyDueTasksOfBooking(aggregateIdOf(event), recorded<BookingEvent>(event)), event.position),
        ...seatingChanges(recorded<BookingEvent>(event), documents),
      ],
    },
  },
};
