import type { BookingDisrupted } from "../booking/events.ts";
import { awaitedMove } from "../booking/move-booking.ts";
import { type BookingState, hasFollowed, isExistingBooking, mayMoveBy } from "../booking/state.ts";
import { changesOf, findDisruption } from "../flight/disrupt.ts";
import type { FlightState } from "../flight/state.ts";
import type { Instant } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import { SECOND } from "../shared/time.ts";
import { followFlight } from "./follow-flight.ts";
import { moveIfAwaited } from "./move.ts";
import { dueTask, type ProcessDefinition } from "./process.ts";
import { call, execute, faultPoint, readState, type Saga } from "./saga.ts";

/** The sweep of a disruption. */
interface Sweep {
  readonly flightId: string;
  readonly disruptionId: string;
}

type Begun = { readonly at: Instant; readonly data: Pick<Sweep, "disruptionId"> };

const begin = ({ at, data: { disruptionId } }: Begun, flightId: string) => ({ flightId, disruptionId, dueAt: at });

const sweepTask = dueTask({
  kind: "sweep_disruption",
  list: "sweeps",
  openedBy: {
    FlightCancelled: begin,
    FlightReinstated: begin,
    FlightRetimed: begin,
    EquipmentChanged: begin,
    DisruptionResumed: begin,
  },
  closedBy: {
    DisruptionPaused: ({ data }) => data.disruptionId,
    DisruptionEnded: ({ data }) => data.disruptionId,
  },
  key: ({ disruptionId }) => disruptionId,
  run: (sweep) => sweepDisruption(sweep),
});

/** The client may have answered meanwhile, or another disruption may have revised the case. */
const answerTask = dueTask({
  kind: "end_silence",
  openedBy: {
    BookingDisrupted: ({ data }, bookingId) => answerDue(data, bookingId),
    CaseRevised: ({ data }, bookingId) => answerDue(data, bookingId),
  },
  closedBy: {
    CaseRevised: ({ data }) => (data.onSilence ? [] : data.caseId),
    CaseResolved: ({ data }) => data.caseId,
  },
  key: ({ caseId }) => caseId,
  *run({ bookingId }) {
    yield* followFlight(bookingId, () => undefined);
  },
});

function answerDue({ caseId, respondBy = null, onSilence = null }: BookingDisrupted["data"], bookingId: string) {
  return respondBy === null || onSilence === null ? undefined : { bookingId, caseId, dueAt: respondBy };
}

/** A flight has places for bookings that neither exist nor are given up, so this must be tried again. */
export class AllocationsUndecided extends Error {
  override readonly name = "AllocationsUndecided";

  constructor(flightId: string, count: number) {
    super(`flight ${flightId} has places for ${count} bookings that do not exist yet`);
  }
}

/** How often a booking may fail before the sweep gives it up. */
const MAX_FAILURES = 10;
/** Real time. */
const INITIAL_BACKOFF_MS = SECOND / 10;
/** After so many bookings the sweep rests for a moment, or looks whether the flight has moved on. */
const BATCH = 20;

/**
 * Makes every booking on a disrupted flight follow it (docs/decisions/0065-a-flight-decides-first.md). Idempotent, and may
 * begin anew at any point: whoever has followed is passed over.
 */
export function* sweepDisruption(sweep: Sweep): Saga {
  const { flightId, disruptionId } = sweep;
  for (let round = 1; ; round += 1) {
    const found = yield* readSweep(sweep);
    if (found === undefined) return;
    const { open, undecided } = yield* behind(found);
    const stuck = yield* followAll(sweep, found, open);
    if (stuck.length > 0 && round < MAX_FAILURES) {
      yield* call("pause", INITIAL_BACKOFF_MS * 2 ** (round - 1));
      continue;
    }
    if (undecided > 0) throw new AllocationsUndecided(flightId, undecided);
    const revision = found.changes.at(-1)?.revision ?? 0;
    const end = { type: "EndDisruption", disruptionId, revision, stuck } as const;
    const { reply: goesOn } = yield* execute(
      "flight",
      flightId,
      end,
      (flight) => sweepOf(flight, disruptionId) !== undefined,
    );
    if (goesOn !== true) return;
  }
}

interface FoundSweep {
  readonly flightId: string;
  readonly changes: readonly FlightChange[];
  /** With the moves that they got their places by. */
  readonly bookings: readonly (readonly [bookingId: string, moveId: string | undefined])[];
}

/** Who is on board; undefined if the sweep is paused, or is over. Records what is left of the holds. */
function* readSweep({ flightId, disruptionId }: Sweep): Saga<FoundSweep | undefined> {
  for (;;) {
    const { reply } = yield* execute("flight", flightId, { type: "ExpireHolds" }, (flight, events) =>
      events.length > 0 ? "more" : sweepOf(flight, disruptionId),
    );
    if (reply !== "more") return reply;
  }
}

function sweepOf(flight: FlightState, disruptionId: string): FoundSweep | undefined {
  if (flight.status === "unscheduled" || findDisruption(flight, disruptionId)?.status !== "running") return undefined;
  const { plan, occupants } = flight.occupancy;
  const bookings = Array.from(occupants, ([bookingId, { moveId }]) => [bookingId, moveId] as const);
  return { flightId: plan.flightId, changes: changesOf(flight), bookings };
}

/** The bookings that have not followed yet, or wait to be moved: confirmed ones first, by the time of their confirmation. */
function* behind(found: FoundSweep): Saga<{ open: readonly string[]; undecided: number }> {
  const open: { readonly bookingId: string; readonly rank: number }[] = [];
  let undecided = 0;
  for (const [index, [bookingId, moveId]] of found.bookings.entries()) {
    // Requests get their turn.
    if (index > 0 && index % BATCH === 0) yield* call("pause", 0);
    const rank = yield* readRank(bookingId, moveId, found);
    if (rank === "undecided") undecided += 1;
    else if (rank !== "followed") open.push({ bookingId, rank });
  }
  return { open: open.sort((one, other) => one.rank - other.rank).map(({ bookingId }) => bookingId), undecided };
}

/** One that can't be read comes last, so that it fails alone. */
function* readRank(bookingId: string, moveId: string | undefined, found: FoundSweep): Saga<ReturnType<typeof rankOf>> {
  try {
    return yield* readState("booking", bookingId, (booking) => rankOf(booking, moveId, found));
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}

function rankOf(
  booking: BookingState,
  moveId: string | undefined,
  { flightId, changes }: FoundSweep,
): number | "undecided" | "followed" {
  if (booking.status === "none") return "undecided";
  if (isExistingBooking(booking) && booking.flightId !== flightId)
    return moveId !== undefined && mayMoveBy(booking, moveId) ? "undecided" : "followed";
  if (hasFollowed(booking, changes) && awaitedMove(booking, changes) === undefined) return "followed";
  return booking.status === "confirmed" ? booking.confirmedAt : Number.MAX_SAFE_INTEGER;
}

/** Returns those that failed. Ends early where the sweep has to look at the flight again. */
function* followAll(
  sweep: Sweep,
  { flightId, changes }: FoundSweep,
  bookingIds: readonly string[],
): Saga<readonly string[]> {
  const failed: string[] = [];
  const mayMove = changes.some((change) => change.kind === "cancelled" && change.into !== undefined);
  for (const [index, bookingId] of bookingIds.entries()) {
    if (index % BATCH === 0 && (yield* readHasMovedOn(sweep, changes))) return bookingIds.slice(index);
    try {
      yield* execute("booking", bookingId, { type: "FollowFlight", flightId, changes });
      if (mayMove) yield* moveIfAwaited(bookingId, changes);
    } catch (err) {
      failed.push(bookingId);
      yield* call("warn", "a booking can't follow its flight", { err, bookingId, disruptionId: sweep.disruptionId });
    }
    yield* faultPoint("disrupt:followed");
  }
  return failed;
}

/** The sweep is paused or over, or its flight has changed once more. Changes are only ever added. */
function readHasMovedOn({ flightId, disruptionId }: Sweep, { length }: readonly FlightChange[]): Saga<boolean> {
  return readState("flight", flightId, (flight) => sweepOf(flight, disruptionId)?.changes.length !== length);
}

export const disrupt = {
  name: "disrupt a flight",
  steps:
    "flight decides, each booking on it follows in its own stream (confirmed ones first) and is moved where that was decided, flight records the end; who may answer and does not is decided for",
  undoneBy: "nothing: it is repeated until every booking has followed, or is listed as stuck",
  tasks: [sweepTask, answerTask],
} as const satisfies ProcessDefinition;
