import {
  barCodedBoardingPass,
  boardingAtOf,
  boardingGroupOf,
  documentCheck,
  type ExistingBooking,
  type FlightPlan,
  sequenceOf,
  type Tier,
} from "@travel-booking/domain";
import type { BoardingPassBody, BoardingPassesBody } from "../resources/boarding-pass.ts";
import { timestamp } from "./timestamp.ts";

/** What boarding passes are made of. */
export interface BoardingPassData {
  /** With a seat for every passenger. */
  readonly booking: ExistingBooking;
  readonly plan: FlightPlan;
  readonly destinationName: string;
  /** Of the account. */
  readonly tier: Tier;
  /** Of the saved passengers, one per passenger of the booking. */
  readonly memberNumbers: readonly (string | null)[];
}

/**
 * The boarding passes of these passengers, named by their places on the booking.
 * @throws Error one of them has no seat, or the flight does not have it.
 */
export function boardingPassesBody(facts: BoardingPassData, passengers: readonly number[]): BoardingPassesBody {
  const { bookingId, reference } = facts.booking;
  return { bookingId, reference, passes: passengers.map((passenger) => boardingPassBody(facts, passenger)) };
}

function boardingPassBody(facts: BoardingPassData, passenger: number): BoardingPassBody {
  const { booking, plan, destinationName, tier } = facts;
  const { bookingId, flightId, cabin } = booking;
  const passengerName = booking.passengers[passenger]?.name;
  const seat = booking.seats[passenger];
  const cabinPlan = plan.cabins.find((one) => one.cabin === cabin);
  if (passengerName === undefined || seat === undefined || cabinPlan === undefined) {
    throw new Error(`passenger ${passenger} of booking ${bookingId} has no seat`);
  }
  const { from, destinationId, departsAt } = plan;
  const memberNumber = facts.memberNumbers[passenger] ?? null;
  const checked = documentCheck(booking, passenger);
  const sequence = sequenceOf(plan, seat);
  const message = barCodedBoardingPass({
    bookingId,
    passengerName,
    flightId,
    from,
    destinationId,
    departsAt,
    cabin,
    seat,
    sequence,
    memberNumber,
    documentsChecked: checked === "ok",
  });
  return {
    passenger,
    passengerName,
    flightId,
    from,
    destination: { id: destinationId, name: destinationName },
    departsAt: timestamp(departsAt),
    boardingAt: timestamp(boardingAtOf(departsAt)),
    cabin,
    seat,
    boardingGroup: boardingGroupOf(cabinPlan, Number.parseInt(seat, 10), tier),
    sequence,
    memberNumber,
    documentCheck: checked,
    barcode: { format: "aztec", message },
  };
}
