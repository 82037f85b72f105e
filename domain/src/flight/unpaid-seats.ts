import { accept, type Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { FlightHandlers, FlightRejection } from "./commands.ts";
import { countedRefund, type Occupancy } from "./occupancy.ts";
import { cabinsOfParty } from "./party.ts";
import type { ScheduledFlight } from "./state.ts";

/** The least quota of unpaid seats, even in a small cabin: one party. */
const MIN_UNPAID_SEATS = 9;

/** Places that a command adds to an account's unpaid holds and bookings in a cabin. */
interface UnpaidSeats {
  readonly accountId: string;
  readonly cabin: Cabin;
  readonly added: number;
  /** Places of those added that count already. */
  readonly counted?: number;
  /** The limit, in percent of the cabin's unblocked seats. No limit if undefined, or from 100 on. */
  readonly percent: number | undefined;
}

/**
 * The rejection of a command that would exceed the account's quota of unpaid seats (docs/rules.md#unpaid-seats). A paid
 * booking counts until the flight knows of its payment (`RecordPaidSeats`).
 */
export function tooManyUnpaidSeats(
  occupancy: Occupancy,
  { accountId, cabin, added, counted = 0, percent = 100 }: UnpaidSeats,
  at: Instant,
): FlightRejection | undefined {
  const room = occupancy.cabins.get(cabin);
  if (room === undefined || added <= 0 || percent >= 100) return undefined;
  const most = Math.max(MIN_UNPAID_SEATS, Math.floor((room.unblocked * percent) / 100));
  let unpaid = (room.unpaid.get(accountId) ?? 0) + added - counted;
  if (unpaid <= most) return undefined;
  for (const hold of occupancy.expiredHolds(at))
    if (hold.accountId === accountId && hold.cabin === cabin) unpaid -= hold.seats.length;
  return unpaid <= most ? undefined : { code: "quota_exceeded", facts: { quota: "unpaid_seats", most, cabin } };
}

/** The account's bookings in a cabin that the flight does not know to be paid. Looks at all bookings on the flight. */
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
   * Records which of the bookings are paid, if the flight did not know. The others are no error, because one may have
   * been refunded since its stream was read.
   */
  RecordPaidSeats(command, flight, at) {
    const { occupants } = flight.occupancy;
    const bookingIds = command.bookingIds.filter((bookingId) => occupants.get(bookingId)?.payment === "unknown");
    return bookingIds.length === 0
      ? accept()
      : accept({ type: "SeatsPaid", at, data: { bookingIds, revocable: true } });
  },

  /**
   * Counts a paid booking as unpaid from here on, if there is room in the quota. Recorded also where the flight knows of
   * no payment: a statement that is under way must not come after it.
   */
  RecordRefundedSeats({ bookingId, accountId, refundId, unpaidSeatsPercent: percent }, { occupancy }, at) {
    const occupant = occupancy.occupants.get(bookingId);
    if (occupant === undefined) return accept();
    const { payment, passengers: added } = occupant;
    const refund = countedRefund(occupant);
    if (refund !== undefined && (refundId === undefined || refund.refundId === refundId)) return accept();
    const counted = payment === "paid" ? 0 : added;
    for (const cabin of refund === undefined ? cabinsOfParty(occupant) : []) {
      const unpaid = tooManyUnpaidSeats(occupancy, { accountId, cabin, added, counted, percent }, at);
      if (unpaid !== undefined) return { events: [], rejection: unpaid };
    }
    return accept({ type: "SeatsRefunded", at, data: { bookingId, ...(refundId !== undefined && { refundId }) } });
  },

  /** Forgets a refund that was never started, unless another one was counted after it. */
  UndoRefundedSeats({ bookingId, refundId }, { occupancy }, at) {
    if (countedRefund(occupancy.occupants.get(bookingId))?.refundId !== refundId) return accept();
    return accept({ type: "SeatsRefundUndone", at, data: { bookingId, refundId } });
  },
} satisfies Partial<FlightHandlers>;
