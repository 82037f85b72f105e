import type { ReservedSeats } from "../flight/events.ts";
import { noRoomForChange } from "../shared/changes.ts";
import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { MAX_METADATA_KEYS, mergeMetadata, sameMetadata } from "../shared/metadata.ts";
import { hasDeparted } from "../shared/time.ts";
import { sameItems } from "../shared/values.ts";
import { placedEvents } from "./cases.ts";
import type { BookingHandlers, BookingRejectionCode } from "./commands.ts";
import type { BookingChanged, BookingEvent, BookingPassenger, PriceChange } from "./events.ts";
import { cancelledCode, confirmationIfFree, repriced, sumOf } from "./rules.ts";
import {
  type BookingState,
  bookingOf,
  type ConfirmedBooking,
  isExistingBooking,
  type PendingBooking,
} from "./state.ts";

export const changeHandlers = {
  /**
   * Records only the fields that differ. Seats may not change after departure, but all else may. A booking of which
   * anybody is erased takes no new words.
   */
  ChangeBooking(command, state, at) {
    const booking = bookingOf(state, command.accountId);
    if (booking === undefined) return reject("booking_not_found");
    const { reference, passengers, metadata: sent } = command;
    if (command.seats !== undefined && hasAppliedSeatChange(booking, command.seats.changeId)) return accept();
    if (booking.status === "cancelled") return reject(cancelledCode(booking));
    if (booking.erased !== undefined && (reference ?? passengers ?? sent) !== undefined)
      return reject("booking_not_found");
    const { metadata: present = [] } = booking;
    const metadata = mergeMetadata(present, sent ?? []);
    if (metadata.length > MAX_METADATA_KEYS) return reject("too_much_metadata");
    const travelling = booking.passengers.length;
    if (passengers !== undefined && passengers.length !== travelling) {
      return reject("passenger_count_mismatch", { booked: travelling, given: passengers.length });
    }
    const fields = seatFields(booking, command.seats, at);
    if ("events" in fields) return fields;

    const referenceDiffers = reference !== undefined && reference !== booking.reference;
    const passengersDiffer = passengers !== undefined && !samePassengers(passengers, booking.passengers);
    const changed = {
      ...(referenceDiffers && { reference }),
      ...(passengersDiffer && { passengers }),
      ...(!sameMetadata(metadata, present) && { metadata }),
    };
    if (Object.keys(changed).length === 0 && fields.changeId === null) return accept();
    const noRoom = noRoomForChange(booking);
    if (noRoom !== undefined) return noRoom;
    const data = { ...changed, ...fields };
    const { totalAmount } = fields;
    return accept<BookingEvent>(
      ...(fields.seats === undefined ? [] : placedEvents(booking, at)),
      { type: "BookingChanged", at, data },
      ...(totalAmount === undefined ? [] : confirmationIfFree(booking.bookingId, totalAmount, at)),
    );
  },

  /**
   * Applies the seats that the flight has assigned, free of charge. Rejected for a pending booking, which has to be
   * paid first, and for one with seats that a client chose meanwhile. The same change again: a no-op.
   */
  AssignSeatsToBooking({ flightId, changeId, cabin, seats }, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    if (hasAppliedSeatChange(state, changeId)) return accept();
    if (state.status === "cancelled") return reject("booking_cancelled");
    if (state.status === "pending") return reject("booking_pending");
    if (state.changesClosed.includes(changeId)) return reject("change_closed");
    if (state.seats.length > 0) return reject("seats_chosen");
    if (state.cabin !== cabin || state.flightId !== flightId) return reject("cabin_left", { cabin });
    const travelling = state.passengers.length;
    if (seats.length !== travelling)
      return reject("seat_count_mismatch", { passengers: travelling, seats: seats.length });
    return accept<BookingEvent>(...placedEvents(state, at), { type: "BookingChanged", at, data: { changeId, seats } });
  },

  /**
   * Closes a seat change, or a move, against a late decision, unless it was already applied (`hasAppliedSeatChange`). A
   * cancelled booking applies none anyway.
   */
  CloseSeatChange({ changeId }, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    if (
      state.status === "cancelled" ||
      hasAppliedSeatChange(state, changeId) ||
      state.changesClosed.includes(changeId)
    ) {
      return accept();
    }
    return accept({ type: "SeatChangeClosed", at, data: { changeId } });
  },
} satisfies Partial<BookingHandlers>;

function samePassengers(some: readonly BookingPassenger[], others: readonly BookingPassenger[]): boolean {
  return some.every(({ name, email }, index) => name === others[index]?.name && email === others[index]?.email);
}

/** Limit of a booking's seat changes, because the id of each is kept for ever. */
export const MAX_SEAT_CHANGES = 1_000;

type SeatFields = Pick<BookingChanged["data"], "changeId" | "seats" | keyof PriceChange>;

const UNCHANGED: SeatFields = { changeId: null };

/**
 * The effect of a seat change on the booking, or its rejection. The price follows the seats while nothing is paid.
 * After that the new seats may not cost more than the old ones.
 */
function seatFields(
  booking: PendingBooking | ConfirmedBooking,
  change: ReservedSeats | undefined,
  at: Instant,
): SeatFields | Decision<never, BookingRejectionCode> {
  if (change === undefined) return UNCHANGED;
  const { changeId, seats, surcharges } = change;
  if (booking.changesClosed.includes(changeId) || change.flightId !== booking.flightId) return reject("change_closed");
  if (seats.length !== booking.passengers.length) {
    return reject("seat_count_mismatch", { passengers: booking.passengers.length, seats: seats.length });
  }
  // Checked even for the booking's own seats, because such a change is closed and its id is kept.
  if (booking.changesApplied.length + booking.changesClosed.length >= MAX_SEAT_CHANGES)
    return reject("too_many_seat_changes", { most: MAX_SEAT_CHANGES });
  if (sameItems(seats, booking.seats)) return UNCHANGED;
  if (hasDeparted(booking.departsAt, at)) return reject("flight_departed");
  if (booking.status === "pending") {
    const price = repriced(booking, surcharges);
    return price === undefined ? reject("payment_pending") : { changeId, seats, ...price };
  }
  const charged = sumOf(booking.surcharges);
  const asked = sumOf(surcharges);
  return asked > charged ? reject("seat_price_fixed", { charged, asked }) : { changeId, seats };
}

/** Whether the booking applied this seat change, or move. */
export function hasAppliedSeatChange(state: BookingState, changeId: string): boolean {
  return isExistingBooking(state) && state.changesApplied.includes(changeId);
}
