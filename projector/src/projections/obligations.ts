import {
  type BookingEvent,
  concernsSeating,
  dueSort,
  evolveSeating,
  type FlightEvent,
  type LoyaltyEvent,
  loyaltyObligationsOfBooking,
  type ObligationChanges,
  obligationsOfBooking,
  obligationsOfFlight,
  obligationsOfLoyalty,
  obligationsOfPassenger,
  obligationsOfPassengerEmail,
  obligationsOfSeating,
  type PassengerEmailEvent,
  type PassengerEvent,
  partitionOf,
  type Seating,
} from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import { OBLIGATIONS } from "@travel-booking/read-models";
import { type Change, type Documents, foldedModel, type Projection } from "../projection.ts";
import { idOf, type Recorded, recorded } from "./recorded.ts";
import { wholeDocument } from "./whole-document.ts";

const { model, byDueTime } = OBLIGATIONS.due;
const { model: seatingModel } = OBLIGATIONS.seating;

/** A booking that is owed nothing more, or nothing yet. */
const NO_SEATING = null;

/** What is closed goes first: an obligation may be replaced by one of the same name. */
function writes({ opened, closed }: ObligationChanges, position: bigint): Write[] {
  const ends = closed.map((key): Write => ({ kind: "delete", model, key, position }));
  const beginnings = opened.map(({ key, obligation }) =>
    wholeDocument(model, {
      key,
      position,
      body: JSON.stringify(obligation),
      indexes: { [byDueTime]: { partition: partitionOf(obligation), sort: dueSort(obligation.dueAt, key) } },
    }),
  );
  return [...ends, ...beginnings];
}

/** When a booking is owed seats follows from several of its events together, so it is folded. */
function seatingChanges(event: Recorded<BookingEvent>, documents: Documents): readonly Change[] {
  const key = idOf(event);
  if (!concernsSeating(event) || documents.holds(seatingModel, key)) return [];
  const before = documents.state<Seating | null>(seatingModel, key) ?? undefined;
  const after = evolveSeating(before, event);
  return [
    ...writes(obligationsOfSeating(key, before, after), event.position),
    { kind: "fold", model: seatingModel, key, state: after ?? NO_SEATING },
  ];
}

/** What is still to be done: a row appears with the event that makes it necessary, and goes with the one that shows it done. */
export const obligations: Projection = {
  name: OBLIGATIONS.projection,
  version: 3,
  models: {
    [model]: { indexes: [byDueTime] },
    [seatingModel]: foldedModel<Seating | null>([], () => ({ body: null, indexes: {}, staleAt: null })),
  },
  handlers: {
    flight: {
      apply: (event) => writes(obligationsOfFlight(idOf(event), recorded<FlightEvent>(event)), event.position),
    },
    loyalty: { apply: (event) => writes(obligationsOfLoyalty(recorded<LoyaltyEvent>(event)), event.position) },
    passenger: { apply: (event) => writes(obligationsOfPassenger(recorded<PassengerEvent>(event)), event.position) },
    passengerEmail: {
      apply: (event) => writes(obligationsOfPassengerEmail(recorded<PassengerEmailEvent>(event)), event.position),
    },
    booking: {
      reads: (event) => (concernsSeating(event) ? [{ model: seatingModel, key: idOf(event) }] : []),
      apply: (event, documents) => [
        ...writes(
          obligationsOfBooking(idOf(event), recorded<BookingEvent>(event), event.metadata.accountId),
          event.position,
        ),
        ...writes(loyaltyObligationsOfBooking(idOf(event), recorded<BookingEvent>(event)), event.position),
        ...seatingChanges(recorded<BookingEvent>(event), documents),
      ],
    },
  },
};
