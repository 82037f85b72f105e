import type { BookingEvent } from "../booking/events.ts";
import type { Instant } from "../shared/decision.ts";
import { DAY } from "../shared/durations.ts";
import { type ObligationChanges, obligationKey } from "./obligation.ts";

/** Seats nobody has chosen are assigned so long before departure (docs/rules.md#when-seats-are-assigned). */
export const SEATS_ASSIGNED_BEFORE = DAY;

/** What decides whether a booking is owed seats, and when. Plain JSON: read models keep it. */
export interface Seating {
  readonly departsAt: Instant;
  /** Null while pending: who may never pay is given nothing. */
  readonly confirmedAt: Instant | null;
  readonly seated: boolean;
}

const SEATING_EVENTS = [
  "BookingCreated",
  "BookingChanged",
  "BookingConfirmed",
  "BookingCancelled",
  "CabinUpgraded",
] as const;

/** Whether an event of a booking can change what it is owed. */
export function concernsSeating({ type }: { readonly type: string }): boolean {
  return SEATING_EVENTS.some((one) => one === type);
}

/** Folds one event in; undefined where nothing is owed any more, or yet. */
export function evolveSeating(seating: Seating | undefined, event: BookingEvent): Seating | undefined {
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
export function obligationsOfSeating(
  bookingId: string,
  before: Seating | undefined,
  after: Seating | undefined,
): ObligationChanges {
  const owed = dueAtOf(before);
  const dueAt = dueAtOf(after);
  if (owed === dueAt) return { opened: [], closed: [] };
  const key = obligationKey("assign_seats", bookingId);
  if (dueAt === undefined) return { opened: [], closed: [key] };
  return { opened: [{ key, obligation: { kind: "assign_seats", bookingId, dueAt } }], closed: [] };
}

/** A booking that is confirmed later than that is seated at once. */
function dueAtOf(seating: Seating | undefined): Instant | undefined {
  if (seating === undefined || seating.seated || seating.confirmedAt === null) return undefined;
  return Math.max(seating.confirmedAt, seating.departsAt - SEATS_ASSIGNED_BEFORE);
}
