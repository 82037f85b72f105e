import { type CabinLayout, layoutOf, seatAt } from "../flight/seat-layout.ts";
import type { SeatFeature } from "../shared/cabin-plan.ts";
import type { Instant } from "../shared/decision.ts";
import type { EquipmentChange, FlightChange, Ship } from "../shared/flight-change.ts";
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
 * @param changes of the flight, all that are known.
 */
export function equipmentEvents(
  booking: ExistingBooking,
  change: EquipmentChange,
  changes: readonly FlightChange[],
  at: Instant,
): readonly BookingEvent[] {
  const { bookingId, flightId, departsAt, cabin } = booking;
  const { disruptionId, kind, after: ship } = change;
  const moved = change.reseated.find((one) => one.bookingId === bookingId);
  const unplaced = moved?.overfull === true;
  const seats = moved?.seats ?? booking.seats;
  const paid = pricesOf(booking);
  const left = moved === undefined ? paid : surchargesLeft(booking, change, shipsOf(booking, change, changes), seats);
  const isLess = sumOf(left) < sumOf(paid);
  const price = isLess ? priceLeft(booking, left, `${disruptionId}/${bookingId}`) : {};
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
      significant: unplaced || isLess || openCase(booking)?.significant === true,
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

/** The ships that the booking has gone with, and last the one that leaves now. */
function shipsOf(
  { createdAt }: ExistingBooking,
  { revision, before }: EquipmentChange,
  changes: readonly FlightChange[],
): readonly Ship[] {
  const earlier = changes.flatMap((one) =>
    one.kind === "equipment_changed" && one.at >= createdAt && one.revision < revision ? [one.before] : [],
  );
  return [...earlier, before];
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
 * Cents by passenger, once the booking has its new seats: where one lacks a feature with a surcharge, what was paid for it is only
 * what the new one was worth. Nothing was paid for a seat that was assigned.
 * @param ships that the booking has gone with, the first one first, and last the one that it leaves.
 */
function surchargesLeft(
  booking: ExistingBooking,
  { after }: EquipmentChange,
  ships: readonly Ship[],
  seats: readonly string[],
): readonly number[] {
  const layoutIn = ({ cabins }: Ship) => {
    const plan = cabins.find((one) => one.cabin === booking.cabin);
    return plan && layoutOf(plan);
  };
  const former = ships.map(layoutIn);
  const featuresOn = (layout: CabinLayout | undefined, numbers: readonly string[]) =>
    pricesOf(booking).map((_, index) => (layout && seatAt(layout, numbers[index] ?? ""))?.features ?? []);
  // The first price is what has been paid.
  const prices = new Map(former.toReversed().flatMap((layout) => [...(layout?.surcharges ?? [])]));
  const worthOf = (features: readonly SeatFeature[]) => sumOf(features.map((one) => prices.get(one) ?? 0));
  const had = featuresOn(former.at(-1), booking.seats);
  const has = featuresOn(layoutIn(after), seats);
  return sharedOver(pricesOf(booking), had.map(worthOf)).map((paid, index) => {
    const features = has[index] ?? [];
    const isLost = had[index]?.some((one) => prices.has(one) && !features.includes(one)) === true;
    return isLost ? Math.min(paid, worthOf(features)) : paid;
  });
}

/** What was paid, over the seats as they are: who paid too much for the own one has exchanged it within the party. */
function sharedOver(paid: readonly number[], worth: readonly number[]): readonly number[] {
  const over = paid.map((amount, index) => amount - (worth[index] ?? 0));
  const most = (sign: 1 | -1) => sumOf(over.map((amount) => Math.max(0, sign * amount)));
  const exchanged = Math.min(most(1), most(-1));
  let [given, taken] = [0, 0];
  return paid.map((amount, index) => {
    const surplus = over[index] ?? 0;
    if (surplus > 0) {
      const part = Math.min(surplus, exchanged - given);
      given += part;
      return amount - part;
    }
    const part = Math.min(-surplus, exchanged - taken);
    taken += part;
    return amount + part;
  });
}

/** Cents by passenger, less what seats have lost during a payment that is under way. */
function pricesOf({ surcharges, surchargesDue = surcharges }: ExistingBooking): readonly number[] {
  return surchargesDue;
}

/** The price changes; during a payment, which is for the price as it was, that waits for its end. */
function priceLeft(
  booking: ExistingBooking,
  surcharges: readonly number[],
  creditId: string,
): Omit<BookingChanged["data"], "changeId"> {
  if (booking.status === "pending") return repriced(booking, surcharges, creditId) ?? { surchargesDue: surcharges };
  return priceWith(booking, surcharges, creditId);
}
