import { type Decision, type Instant, reject } from "../shared/decision.ts";
import type { NewSeats } from "./commands.ts";
import type { BookingChanged } from "./events.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { priceWithSurcharges as priceWith } from "./rewards/credit.ts";
import { hasDeparted } from "./rules/departure-deadlines.ts";
import { sumOf } from "./rules/price.ts";
import type { ConfirmedBooking, PendingBooking } from "./state.ts";

type SeatFields = Pick<BookingChanged["data"], "changeId" | "seats" | "surcharges" | "totalAmount" | "creditGivenUp">;
type Refused = { readonly rejection: Decision<never, BookingRejectionCode> };

const UNCHANGED: { readonly fields: SeatFields } = { fields: { changeId: null } };

/** What a change of seats does to the booking, or why it may not be. Seats that are there already are no change. */
export function seatChangeFields(
  booking: PendingBooking | ConfirmedBooking,
  change: NewSeats | undefined,
  at: Instant,
): { readonly fields: SeatFields } | Refused {
  if (change === undefined) return UNCHANGED;
  const { changeId, seats, surcharges } = change;
  if (booking.changesClosed.includes(changeId)) return { rejection: reject("change_closed") };
  if (seats.length !== booking.passengers.length) {
    return {
      rejection: reject("seat_count_mismatch", { passengers: booking.passengers.length, seats: seats.length }),
    };
  }
  if (sameItems(seats, booking.seats)) return UNCHANGED;
  if (hasDeparted(booking.departsAt, at)) return { rejection: reject("flight_departed") };
  if (booking.status === "pending") return repricedFields(booking, change);

  const charged = sumOf(booking.surcharges);
  const asked = sumOf(surcharges);
  if (asked > charged) return { rejection: reject("seat_price_fixed", { charged, asked }) };
  return { fields: { changeId, seats } };
}

/** While nothing is paid, the price follows the seats; but not under a payment that is on its way. */
function repricedFields(booking: PendingBooking, change: NewSeats): { readonly fields: SeatFields } | Refused {
  const { changeId, seats, surcharges } = change;
  const { totalAmount, ...credit } = priceWith(booking, surcharges);
  const totalDiffers = totalAmount !== booking.totalAmount;
  if (totalDiffers && booking.payments.some((payment) => payment.status === "pending")) {
    return { rejection: reject("payment_pending") };
  }
  return {
    fields: {
      changeId,
      seats,
      ...(!sameItems(surcharges, booking.surcharges) && { surcharges }),
      ...(totalDiffers && { totalAmount }),
      ...credit,
    },
  };
}

function sameItems<Value>(some: readonly Value[], others: readonly Value[]): boolean {
  return some.length === others.length && some.every((value, index) => value === others[index]);
}
