import { setImmediate } from "node:timers/promises";
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
import { EVENTS, latestOf, revisionIn } from "./event-pages.ts";
import type { OperatorServices } from "./operator-services.ts";

/**
 * `booking show`: the booking at revision `at` (by default the last one), what its cancellation would give
 * back, and its events, the latest or those `before` a revision.
 */
export function bookingRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { store, clock, disrupted } = services;
  return [
    operatorRoute("GET", "/operator/bookings/:id", async ({ params: { id = "" }, query }) => {
      const events = await eventsOf(store, id);
      const last = events.length - 1;
      const at = Math.min(revisionIn(query, "at") ?? last, last);
      const before = revisionIn(query, "before") ?? events.length;
      let folded: BookingState = { status: "none" };
      let booking: BookingState = folded;
      let shown: BookingState = folded;
      const moments: object[] = [];
      for (const event of events) {
        const { revision, type, metadata, id: eventId, data } = event;
        const happened = { type, at: event.at, data } as BookingEvent;
        folded = evolveBooking(folded, happened);
        // Copied, because the next fold changes the state in place.
        if (revision === at) shown = structuredClone(folded);
        // One more is copied than is told: the first is compared with it.
        if (revision >= before || revision < before - EVENTS - 1) continue;
        const earlier = isExistingBooking(booking) ? booking : null;
        booking = structuredClone(folded);
        if (revision < before - EVENTS) continue;
        const { actor, requestId, commandId, causationId } = metadata;
        const changes = isExistingBooking(booking) ? changesOfBooking(happened, earlier, booking) : {};
        const facts = { revision, id: eventId, type, at: new Date(event.at).toISOString() };
        moments.push({ ...facts, actor, requestId, commandId, causationId, data, changes });
        await setImmediate();
      }
      const open = isExistingBooking(folded) && folded.status !== "cancelled" ? folded : undefined;
      return {
        id,
        at,
        event: { type: events[at]?.type, at: new Date(events[at]?.at ?? 0).toISOString() },
        last,
        booking: shown,
        seats: open?.seats ?? [],
        cancellation: open ? cancellationQuote(open, clock.now(), disrupted.news(open.flightId)) : null,
        timeline: latestOf(moments),
      };
    }),
    // Asked again and again by a page that is left open: `from` is the one that it knows.
    operatorRoute("GET", "/operator/bookings/:id/last", async ({ params: { id = "" }, query }) => ({
      id,
      last: (await eventsOf(store, id, revisionIn(query, "from"))).at(-1)?.revision,
    })),
  ];
}

async function eventsOf(store: OperatorServices["store"], id: string, from = 0) {
  const events = await store.readStream(bookingStream(id).stream, from);
  if (events.length === 0) throw new OperatorError(404, "no booking with this id");
  return events;
}
