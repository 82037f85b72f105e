import { changesOf, type DomainEvent, isExistingBooking } from "@travel-booking/domain";
import { auditBooking, auditFlight, auditLoyalty, auditPlaces } from "@travel-booking/domain/audit";
import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import { type Fold, stateOf } from "./command-handling/folded-stream.ts";
import { bookingStream, flightStream, loyaltyStream } from "./streams.ts";

const READ_AT_ONCE = 1_000;

type Events = Pick<EventStore, "readStream">;

/**
 * Folds the flights, bookings and points of a log, a stream at a time, and yields what can't be (`domain/src/audit.ts`), each in a line.
 * Words may be sealed.
 */
export async function* auditLog(events: Events, streams: readonly string[]): AsyncGenerator<string> {
  const onTheirFlight = new Set<string>();
  for (const id of idsOf(streams, "flight")) {
    const flight = await fold(events, flightStream(id));
    if (flight.status === "unscheduled") continue;
    yield* told(id, auditFlight(flight));
    for (const [bookingId, occupant] of flight.occupancy.occupants) {
      const booking = await fold(events, bookingStream(bookingId));
      // While it moves to another flight, both have places for it.
      if (!isExistingBooking(booking) || booking.flightId !== id) continue;
      onTheirFlight.add(bookingId);
      yield* told(bookingId, [...auditBooking(booking), ...auditPlaces(booking, occupant, changesOf(flight))]);
    }
  }
  for (const id of idsOf(streams, "booking")) {
    if (onTheirFlight.has(id)) continue;
    const booking = await fold(events, bookingStream(id));
    yield* told(id, [...auditBooking(booking), ...auditPlaces(booking, undefined)]);
  }
  for (const id of idsOf(streams, "loyalty")) {
    yield* told(`the points of ${id}`, auditLoyalty(await fold(events, loyaltyStream(id))));
  }
}

function* idsOf(streams: readonly string[], category: string): Generator<string> {
  const prefix = `${category}-`;
  for (const stream of streams) if (stream.startsWith(prefix)) yield stream.slice(prefix.length);
}

const told = (what: string, findings: readonly string[]) => findings.map((finding) => `${what}: ${finding}`);

function fold<State, Event extends DomainEvent>(
  events: Events,
  { stream, decider }: { readonly stream: string; readonly decider: Fold<State, Event> },
): Promise<State> {
  return stateOf(decider, piecesOf(events, stream));
}

/** A long stream is read piece by piece. */
async function* piecesOf(events: Events, stream: string): AsyncGenerator<readonly RecordedEvent[]> {
  for (let next = 0; ; next += READ_AT_ONCE) {
    const read = await events.readStream(stream, next, READ_AT_ONCE);
    yield read;
    if (read.length < READ_AT_ONCE) return;
  }
}
