import {
  type BookingEvent,
  type BookingState,
  cancellationQuote,
  evolveBooking,
  isExistingBooking,
} from "@travel-booking/domain";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { changesOfBooking } from "@travel-booking/read-models";
import { bookingStream } from "../streams.ts";
import type { OperatorServices } from "./operator-services.ts";

/**
 * `booking show`: the booking at revision `at` (by default the last one), what its cancellation would give
 * back, and all its events.
 */
export function bookingRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { store, clock, disrupted } = services;
  return [
    operatorRoute("GET", "/operator/bookings/:id", async ({ params: { id = "" }, query }) => {
      const events = await store.readStream(bookingStream(id).stream);
      const last = events.at(-1)?.revision;
      if (last === undefined) throw new OperatorError(404, "no booking with this id");
      const at = query.at === undefined ? last : Number(query.at);
      if (!Number.isInteger(at) || at < 0) throw new OperatorError(400, "at takes the revision of an event, from 0");
      let folded: BookingState = { status: "none" };
      let booking: BookingState = folded;
      let shown: BookingState = folded;
      const timeline = events.map((event) => {
        const before = isExistingBooking(booking) ? booking : null;
        const happened = { type: event.type, at: event.at, data: event.data } as BookingEvent;
        folded = evolveBooking(folded, happened);
        // Copied, because the next fold changes the state in place.
        booking = structuredClone(folded);
        if (event.revision <= at) shown = booking;
        const { revision, type, metadata, id: eventId } = event;
        const { actor, requestId, commandId, causationId } = metadata;
        const changes = isExistingBooking(booking) ? changesOfBooking(happened, before, booking) : {};
        return {
          revision,
          id: eventId,
          type,
          at: new Date(event.at).toISOString(),
          actor,
          requestId,
          commandId,
          causationId,
          data: event.data,
          changes,
        };
      });
      const current = booking as BookingState;
      const cancellation =
        isExistingBooking(current) && current.status !== "cancelled"
          ? cancellationQuote(current, clock.now(), disrupted.news(current.flightId))
          : null;
      return { id, at: Math.min(at, last), last, booking: shown, cancellation, timeline };
    }),
  ];
}
