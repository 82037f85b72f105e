import { hasAppliedSeatChange } from "../booking/change-booking.ts";
import type { BookingEvent } from "../booking/events.ts";
import { type BookingState, isGrounding } from "../booking/state.ts";
import { automaticChange } from "../flight/change-seats.ts";
import type { FlightRejectionCode } from "../flight/commands.ts";
import { changesOf } from "../flight/disrupt.ts";
import type { Instant } from "../shared/decision.ts";
import { DAY } from "../shared/time.ts";
import { applySeatChange, finishSeatChange } from "./change-seats.ts";
import { followFlight } from "./follow-flight.ts";
import { dueTask, type ProcessDefinition } from "./process.ts";
import { call, execute, faultPoint, type Saga } from "./saga.ts";

/** Seats that nobody has chosen are assigned this long before departure (docs/rules.md#when-seats-are-assigned). */
const SEAT_ASSIGNMENT_LEAD_TIME = DAY;

const assignSeatsTask = dueTask({
  kind: "assign_seats",
  openedBy: {},
  closedBy: {},
  foldedFrom: [
    "BookingCreated",
    "BookingChanged",
    "BookingConfirmed",
    "BookingCancelled",
    "BookingDisrupted",
    "BookingMoved",
    "CaseRevised",
    "CaseResolved",
    "CabinUpgraded",
    "CabinChanged",
    "DepartureMoved",
  ],
  key: ({ bookingId }: { readonly bookingId: string; readonly dueAt: Instant }) => bookingId,
  *run({ bookingId, dueAt }) {
    const departsAt = yield* followFlight(bookingId, ({ flightCancelled, unplaced, departsAt }) =>
      flightCancelled === true || unplaced === true ? undefined : departsAt,
    );
    if (departsAt === undefined || departsAt - SEAT_ASSIGNMENT_LEAD_TIME > dueAt) return;
    if (!(yield* assignMissingSeats(bookingId))) throw new SeatChangeInProgress(bookingId);
  },
});

/** The facts that decide whether and when a booking is due seats. Plain JSON, because the projection stores it. */
export interface SeatAssignment {
  readonly departsAt: Instant;
  /** Null while pending, because a booking that may never be paid gets no seats. */
  readonly confirmedAt: Instant | null;
  readonly seated: boolean;
  /** Its flight does not depart. */
  readonly grounded?: true;
  /** It has no place on its flight. */
  readonly unplaced?: true;
}

/** Whether an event of a booking can change when it is due seats. */
export function affectsSeatAssignment({ type }: { readonly type: string }): boolean {
  return assignSeatsTask.foldedFrom?.some((one) => one === type) === true;
}

/** Whether the booking may have had seats, and has none from then on. */
export function givesUpSeats({ type, data }: BookingEvent): boolean {
  if (type === "BookingDisrupted" || type === "CaseRevised") return data.unplaced === true;
  return type === "CabinUpgraded" || type === "CabinChanged" || (type === "BookingChanged" && data.seats?.length === 0);
}

/** Folds one event in; undefined for a booking that is cancelled. */
export function evolveSeatAssignment(
  seating: SeatAssignment | undefined,
  event: BookingEvent,
): SeatAssignment | undefined {
  if (event.type === "BookingCreated") {
    const { departsAt, seats } = event.data;
    return { departsAt, confirmedAt: null, seated: seats.length > 0 };
  }
  if (event.type === "BookingMoved") {
    // Only one that is paid moves. Nothing may be known of it before: it may have had seats until now.
    const { departsAt, seats } = event.data;
    return { departsAt, confirmedAt: seating?.confirmedAt ?? event.at, seated: seats.length > 0 };
  }
  if (seating === undefined) return undefined;
  switch (event.type) {
    case "BookingChanged": {
      const { seats } = event.data;
      if (seats === undefined) return seating;
      return seats.length > 0 ? { ...placed(seating), seated: true } : { ...seating, seated: false };
    }
    case "CabinUpgraded":
    case "CabinChanged":
      return { ...placed(seating), seated: false };
    case "BookingConfirmed":
      return { ...seating, confirmedAt: event.at };
    case "DepartureMoved":
      return { ...seating, departsAt: event.data.departsAt };
    case "BookingCancelled":
      return undefined;
    case "BookingDisrupted":
    case "CaseRevised":
      if (isGrounding(event.data)) return { ...seating, grounded: true };
      if (event.data.kind !== "equipment_changed") return flying(seating);
      return { ...flying(placed(seating)), ...(event.data.unplaced && { unplaced: true }) };
    case "CaseResolved":
      return event.data.reinstatedBy === undefined ? seating : flying(seating);
    default:
      return seating;
  }
}

/** Its flight departs, for all that is known. */
function flying({ grounded: _, ...seating }: SeatAssignment): SeatAssignment {
  return seating;
}

function placed({ unplaced: _, ...seating }: SeatAssignment): SeatAssignment {
  return seating;
}

/** When a booking is due seats; at once after a late confirmation. Undefined: it is not due any, or not yet. */
export function seatsDueAt(seating: SeatAssignment | undefined): Instant | undefined {
  if (seating === undefined || seating.seated || seating.grounded || seating.unplaced) return undefined;
  if (seating.confirmedAt === null) return undefined;
  return Math.max(seating.confirmedAt, seating.departsAt - SEAT_ASSIGNMENT_LEAD_TIME);
}

/** Another seat change of the booking is under way, so this must be tried again. */
export class SeatChangeInProgress extends Error {
  override readonly name = "SeatChangeInProgress";

  constructor(bookingId: string) {
    super(`the seats of booking ${bookingId} are being changed`);
  }
}

const MAX_ATTEMPTS = 6;
/** Real time. */
const INITIAL_BACKOFF_MS = 20;

/**
 * Makes sure that a confirmed booking has seats, by the steps of a seat change. If it is interrupted, it is finished
 * like a seat change (`finish_seat_change`). Changes no other booking. Idempotent, even in parallel: automatic seats
 * that another run has reserved are taken over. False if another seat change is under way; try again.
 */
export function* assignMissingSeats(bookingId: string): Saga<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const done = yield* attemptToAssign(bookingId);
    if (done || attempt === MAX_ATTEMPTS) return done;
    yield* call("pause", INITIAL_BACKOFF_MS * 2 ** attempt);
  }
}

function* attemptToAssign(bookingId: string): Saga<boolean> {
  // A command instead of a read, because it records lapsed events, and its log position counts for the result.
  const seatless = yield* execute("booking", bookingId, { type: "ExpireBooking" }, seatlessBooking);
  if (seatless.reply === undefined) return true;
  const { flightId, accountId, passengers } = seatless.reply;
  const preferences = yield* call("seatPreferences", accountId, passengers);
  const reserved = yield* execute(
    "flight",
    flightId,
    (commandId) => ({ type: "AssignSeats", bookingId, changeId: commandId, preferences }),
    (flight) => {
      const seats = flight.status === "scheduled" ? automaticChange(flight, bookingId) : undefined;
      return seats && { seats, isDisrupted: changesOf(flight).length > 0 };
    },
  );
  if (!reserved.accepted) return NOTHING_TO_ASSIGN.has(reserved.rejection.code);
  if (reserved.reply === undefined) return false;
  yield* faultPoint("seats:reserved");
  const { seats, isDisrupted } = reserved.reply;
  const change = { flightId, bookingId, changeId: seats.changeId };
  // Another ship has seated it before: these seats come after those.
  if (isDisrupted) yield* followFlight(bookingId, () => undefined);
  const decided = yield* execute("booking", bookingId, { type: "AssignSeatsToBooking", ...seats }, (booking) =>
    hasAppliedSeatChange(booking, change.changeId),
  );
  yield* faultPoint("seats:decided");
  const taken = decided.reply === true;
  yield* taken ? applySeatChange(change) : finishSeatChange(change);
  return taken;
}

/** The seats were released meanwhile, because the booking is cancelled; or another ship has no place for it. */
const NOTHING_TO_ASSIGN: ReadonlySet<string> = new Set<FlightRejectionCode>(["allocation_released", "cabin_sold_out"]);

function seatlessBooking(booking: BookingState) {
  if (booking.status !== "confirmed" || booking.seats.length > 0) return undefined;
  const { accountId, flightId, passengers } = booking;
  return { accountId, flightId, passengers };
}

export const assignSeatsProcess = {
  name: "assign seats",
  steps: "flight chooses seats for bookings without and reserves them, booking takes over, flight keeps or drops them",
  undoneBy: "as a change of seats; another run takes over seats it finds reserved",
  tasks: [assignSeatsTask],
} as const satisfies ProcessDefinition;
