import { accept, type Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { FlightHandlers, FlightRejection } from "./commands.ts";
import type { Occupancy } from "./occupancy.ts";
import { cabinsOfParty } from "./party.ts";
import type { ScheduledFlight } from "./state.ts";

/** An account may keep so many unpaid however small the cabin is: one party. */
const MIN_UNPAID_SEATS = 9;

/** What a command adds to the places that an account keeps held or booked in a cabin without paying. */
interface UnpaidSeats {
  readonly accountId: string;
  readonly cabin: Cabin;
  readonly added: number;
  /** The bound, in percent of the cabin's unblocked seats; from 100 on, or undefined: none. */
  readonly percent: number | undefined;
}

/**
 * The rejection of a command that would take an account over its quota of unpaid seats (docs/rules.md#unpaid-seats). A
 * booking that is paid counts until the flight knows it (`RecordPaidSeats`).
 */
export function tooManyUnpaidSeats(
  occupancy: Occupancy,
  { accountId, cabin, added, percent = 100 }: UnpaidSeats,
  at: Instant,
): FlightRejection | undefined {
  const room = occupancy.cabins.get(cabin);
  if (room === undefined || added <= 0 || percent >= 100) return undefined;
  const most = Math.max(MIN_UNPAID_SEATS, Math.floor((room.unblocked * percent) / 100));
  let unpaid = (room.unpaid.get(accountId) ?? 0) + added;
  if (unpaid <= most) return undefined;
  for (const hold of occupancy.expiredHolds(at))
    if (hold.accountId === accountId && hold.cabin === cabin) unpaid -= hold.seats.length;
  return unpaid <= most ? undefined : { code: "quota_exceeded", facts: { quota: "unpaid_seats", most, cabin } };
}

/** The bookings of an account in a cabin of which the flight knows no payment. Looks at all bookings on the flight. */
export function bookingsNotKnownPaid(
  { occupancy }: ScheduledFlight,
  { accountId, cabin }: Pick<UnpaidSeats, "accountId" | "cabin">,
): readonly string[] {
  const bookings: string[] = [];
  for (const [bookingId, occupant] of occupancy.occupants)
    if (occupant.accountId === accountId && occupant.payment === "unknown" && cabinsOfParty(occupant).includes(cabin))
      bookings.push(bookingId);
  return bookings;
}

export const paidSeatsHandlers = {
  /**
   * Records those of the bookings that are on the flight and of which it knows no payment. The others are no error: one may
   * have been refunded since its stream was asked.
   */
  RecordPaidSeats(command, flight, at) {
    const { occupants } = flight.occupancy;
    const bookingIds = command.bookingIds.filter((bookingId) => occupants.get(bookingId)?.payment === "unknown");
    return bookingIds.length === 0
      ? accept()
      : accept({ type: "SeatsPaid", at, data: { bookingIds, revocable: true } });
  },

  /** Records it also where the flight knows of no payment: a statement that is under way must not come after it. */
  RecordRefundedSeats({ bookingId }, flight, at) {
    const payment = flight.occupancy.occupants.get(bookingId)?.payment ?? "refunded";
    return payment === "refunded" ? accept() : accept({ type: "SeatsRefunded", at, data: { bookingId } });
  },
} satisfies Partial<FlightHandlers>;
