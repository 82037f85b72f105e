import type { BookingEvent } from "../booking/events.ts";
import type { Instant } from "../shared/decision.ts";
import { DAY } from "../shared/time.ts";
import { type DueTaskChanges, dueTaskKey } from "./due-task.ts";

/** Seats nobody has chosen are assigned so long before departure (docs/rules.md#when-seats-are-assigned). */
export const SEAT_ASSIGNMENT_LEAD_TIME = DAY;

/** What decides whether a booking is owed seats, and when. Plain JSON: read models keep it. */
export interface SeatAssignment {
  readonly departsAt: Instant;
  /** Null while pending: who may never pay is given nothing. */
  readonly confirmedAt: Instant | null;
  readonly seated: boolean;
}

const SEAT_ASSIGNMENT_EVENTS = [
  "BookingCreated",
  "BookingChanged",
  "BookingConfirmed",
  "BookingCancelled",
  "CabinUpgraded",
] as const;

/** Whether an event of a booking can change what it is owed. */
export function affectsSeatAssignment({ type }: { readonly type: string }): boolean {
  return SEAT_ASSIGNMENT_EVENTS.some((one) => one === type);
}

/** Folds one event in; undefined where nothing is owed any more, or yet. */
export function evolveSeatAssignment(
  seating: SeatAssignment | undefined,
  event: BookingEvent,
): SeatAssignment | undefined {
  if (event.type === "BookingCreated") {
    const { departsAt, seats } = event.data;
    return { departsAt, confirmedAt: null, seated: seats.length > 0 };
  }
  if (seating === undefined) return undefined;
  switch (event.type) {
    case "BookingChanged": {
      const { seats } = event.data;
      return seats === undefined ? seating : { ...seating, seated: seats.length > 0 };
    }
    case "CabinUpgraded":
      return { ...seating, seated: false };
    case "BookingConfirmed":
      return { ...seating, confirmedAt: event.at };
    case "BookingCancelled":
      return undefined;
    default:
      return seating;
  }
}

/** What one event of the booking `bookingId` opens or closes, by the seating before and after it. */
export function dueTasksOfSeatAssignment(
  bookingId: string,
  before: SeatAssignment | undefined,
  after: SeatAssignment | undefined,
): DueTaskChanges {
  const owed = dueAtOf(before);
  const dueAt = dueAtOf(after);
  if (owed === dueAt) return { opened: [], closed: [] };
  const key = dueTaskKey("assign_seats", bookingId);
  if (dueAt === undefined) return { opened: [], closed: [key] };
  return { opened: [{ key, dueTask: { kind: "assign_seats", bookingId, dueAt } }], closed: [] };
}

/** A booking that is confirmed later than that is seated at once. */
function dueAtOf(seating: SeatAssignment | undefined): Instant | undefined {
  if (seating === undefined || seating.seated || seating.confirmedAt === null) return undefined;
  return Math.max(seating.confirmedAt, seating.departsAt - SEAT_ASSIGNMENT_LEAD_TIME);
}
