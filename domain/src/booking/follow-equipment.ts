import { layoutOf, seatAt } from "../flight/seat-layout.ts";
import type { Instant } from "../shared/decision.ts";
import type { EquipmentChange } from "../shared/flight-change.ts";
import { CABINS, sameItems } from "../shared/values.ts";
import { refundedEvents } from "./answer-case.ts";
import { agreedJourney, departingCase } from "./cases.ts";
import { applyEvents } from "./due-events.ts";
import type { BookingChanged, BookingEvent, Journey } from "./events.ts";
import { refundOfLoss } from "./refunds.ts";
import { confirmationIfFree, priceWith, repriced, sumOf } from "./rules.ts";
import { type ExistingBooking, openCase } from "./state.ts";

/**
 * The booking sits on another ship where its flight has seated it, and gets back what the features cost that it loses
 * (docs/rules.md#another-ship). One that is not paid and has no place ends.
 */
export function equipmentEvents(
  booking: ExistingBooking,
  change: EquipmentChange,
  at: Instant,
): readonly BookingEvent[] {
  const { bookingId, flightId, departsAt, cabin } = booking;
  const { disruptionId, kind, after: ship } = change;
  const moved = change.reseated.find((one) => one.bookingId === bookingId);
  const unplaced = moved?.overfull === true;
  const seats = moved?.seats ?? booking.seats;
  const lost = moved === undefined ? [] : surchargesLost(booking, change, seats);
  const price = priceWithout(booking, lost, `${disruptionId}/${bookingId}`);
  const amount = price.totalAmount === undefined ? 0 : booking.totalAmount - price.totalAmount;
  const refunds = refundOfLoss(booking, { amount, ownDigits: disruptionId, reason: "other" }, at);
  const refundAmount = sumOf(refunds.map(({ data }) => data.amount));
  const offered = unplaced ? lowerCabin(booking, change) : { cabin, seats };
  const isUnpaid = booking.status === "pending";
  const confirmation =
    isUnpaid && !unplaced ? confirmationIfFree(bookingId, price.totalAmount ?? booking.totalAmount, at) : [];
  const told = departingCase(
    applyEvents(booking, confirmation) as ExistingBooking,
    change,
    {
      before: agreedJourney(booking, change.before),
      after: offered && { flightId, departsAt, durationDays: ship.durationDays, ...offered },
      significant: unplaced || sumOf(lost) > 0 || openCase(booking)?.significant === true,
      ...(refundAmount > 0 && { refundAmount }),
      ...(unplaced && { unplaced }),
    },
    at,
  );
  if (unplaced && isUnpaid) return [told[0], ...refundedEvents(booking, { caseId: told[0].data.caseId, kind }, at)];
  const changed = { changeId: null, ...(!sameItems(seats, booking.seats) && { seats }), ...price };
  return [
    ...told,
    ...(Object.keys(changed).length === 1 ? [] : [{ type: "BookingChanged", at, data: changed } as const]),
    ...confirmation,
    ...refunds,
  ];
}

/** What whoever has no place may accept instead, if the ship has such a cabin in the same currency; null: it has none. */
function lowerCabin(
  { cabin, currency }: ExistingBooking,
  { after }: EquipmentChange,
): Pick<Journey, "cabin" | "seats"> | null {
  const lower = CABINS.slice(0, CABINS.indexOf(cabin)).findLast((each) =>
    after.cabins.some((one) => one.cabin === each && one.currency === currency),
  );
  return lower === undefined ? null : { cabin: lower, seats: [] };
}

/**
 * Cents by passenger: what was paid for a seat of which the new one lacks a feature with a surcharge, minus what the new one cost on
 * the former ship. Nothing for a seat that was assigned.
 */
function surchargesLost(
  booking: ExistingBooking,
  { before, after }: EquipmentChange,
  seats: readonly string[],
): readonly number[] {
  const [then, now] = [before, after].map(({ cabins }) => {
    const plan = cabins.find((one) => one.cabin === booking.cabin);
    return plan && layoutOf(plan);
  });
  return pricesOf(booking).map((paid, index) => {
    const had = then && seatAt(then, booking.seats[index] ?? "");
    const features = (now && seatAt(now, seats[index] ?? ""))?.features ?? [];
    const prices = then?.surcharges;
    const isLost = had?.features.some((one) => prices?.has(one) === true && !features.includes(one)) === true;
    const worth = sumOf(features.map((one) => prices?.get(one) ?? 0));
    return isLost ? Math.max(0, paid - worth) : 0;
  });
}

/** Cents by passenger, less what seats have lost during a payment that is under way. */
function pricesOf({ surcharges, surchargesDue = surcharges }: ExistingBooking): readonly number[] {
  return surchargesDue;
}

/** The price changes; during a payment, which is for the price as it was, they wait for its end. */
function priceWithout(
  booking: ExistingBooking,
  lost: readonly number[],
  creditId: string,
): Omit<BookingChanged["data"], "changeId"> {
  if (sumOf(lost) === 0) return {};
  const surcharges = pricesOf(booking).map((paid, index) => paid - (lost[index] ?? 0));
  if (booking.status === "pending") return repriced(booking, surcharges, creditId) ?? { surchargesDue: surcharges };
  return priceWith(booking, surcharges, creditId);
}
