import {
  type BookingEvent,
  DUE_PARTITION,
  dueSort,
  type FlightEvent,
  type ObligationChanges,
  obligationsOfBooking,
  obligationsOfFlight,
} from "@travel-booking/domain";
import { OBLIGATIONS } from "@travel-booking/read-models";
import type { Write } from "@travel-booking/read-store";
import type { Projection } from "../projection.ts";
import { idOf, recorded } from "./recorded.ts";
import { wholeDocument } from "./whole-document.ts";

const { model, byDueTime } = OBLIGATIONS.due;

/** What is closed goes first: an obligation may be replaced by one of the same name. */
function writes({ opened, closed }: ObligationChanges, position: bigint): Write[] {
  const ends = closed.map((key): Write => ({ kind: "delete", model, key, position }));
  const beginnings = opened.map(({ key, obligation }) =>
    wholeDocument(model, {
      key,
      position,
      body: JSON.stringify(obligation),
      indexes: { [byDueTime]: { partition: DUE_PARTITION, sort: dueSort(obligation.dueAt, key) } },
    }),
  );
  return [...ends, ...beginnings];
}

/** What is still to be done: a row appears with the event that makes it necessary, and goes with the one that shows it done. */
export const obligations: Projection = {
  name: OBLIGATIONS.projection,
  version: 1,
  models: { [model]: { indexes: [byDueTime] } },
  handlers: {
    flight: {
      apply: (event) => writes(obligationsOfFlight(idOf(event), recorded<FlightEvent>(event)), event.position),
    },
    booking: {
      apply: (event) => writes(obligationsOfBooking(idOf(event), recorded<BookingEvent>(event)), event.position),
    },
  },
};
