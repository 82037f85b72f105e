import { accept, type Instant, reject } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import { HOUR, hasDeparted, MINUTE } from "../shared/time.ts";
import type { FlightDecision, FlightHandlers } from "./commands.ts";
import type { Disruption } from "./disruption.ts";
import type { FlightCancelled, FlightEvent, SeatHoldReleased } from "./events.ts";
import type { Occupancy } from "./occupancy.ts";
import { differsOnlyInFares, planProblems } from "./schedule-flight.ts";
import { seatingOn } from "./seating.ts";
import type { FlightState, ScheduledFlight } from "./state.ts";

/** What has happened to a flight that its bookings have to follow, oldest first. */
export function changesOf(flight: FlightState): readonly FlightChange[] {
  return flight.status === "unscheduled" ? [] : flight.changes;
}

/** Undefined: the flight has no such disruption. */
export function findDisruption({ disruptions }: ScheduledFlight, disruptionId: string): Disruption | undefined {
  return disruptions.find((each) => each.disruptionId === disruptionId);
}

/** The rejection of what would take new places on a flight that is not on sale. */
export function notOnSale({ sale }: Pick<Occupancy, "sale">): FlightDecision | undefined {
  if (sale === "open") return undefined;
  return reject(sale === "closed" ? "sales_closed" : "flight_cancelled");
}

/** Lets the events of one command fit into one append. Later commands record the rest. */
const MAX_RELEASED_PER_COMMAND = 256;

/** The holds that the cancellation of the flight releases and that are not recorded as released yet. */
export function releaseHolds({ holds }: Occupancy, at: Instant): readonly SeatHoldReleased[] {
  const released: SeatHoldReleased[] = [];
  for (const [holdId, { expiresAt }] of holds.active) {
    if (released.length === MAX_RELEASED_PER_COMMAND) break;
    if (expiresAt > at) released.push({ type: "SeatHoldReleased", at, data: { holdId } });
  }
  return released;
}

/** The accounts that have bookings or active holds on the flight. */
export function accountsOn({ occupants, holds }: Occupancy, at: Instant): readonly string[] {
  const active = [...holds.active.values()].filter(({ expiresAt }) => expiresAt > at);
  return [...new Set([...occupants.values(), ...active].map(({ accountId }) => accountId))];
}

/** Limit of the decisions about a flight, because clients see all of them. */
export const MAX_FLIGHT_DECISIONS = 1_000;

/** A new departure lies this far ahead at least (docs/rules.md#retimed-flights); less where it is no earlier than the old one. */
const EARLIEST = 2 * HOUR;
const EARLIEST_DELAYED = 15 * MINUTE;

/** Of the events of one command: half of what a log takes in one append by default. */
const MAX_APPEND_SIZE = 524_288;
/** At most, with what the log stores beside it. */
const RELEASED_SIZE = 512;

/** Why an operator can't decide on the flight as planned; `cancelled`: whether only on a cancelled one. */
function refused(
  { occupancy, revision }: ScheduledFlight,
  planned: number,
  at: Instant,
  cancelled = false,
): FlightDecision | undefined {
  if (revision !== planned) return reject("flight_revision_changed", { revision });
  const isCancelled = occupancy.sale === "cancelled";
  if (isCancelled !== cancelled) return reject(isCancelled ? "flight_cancelled" : "flight_not_cancelled");
  if (revision >= MAX_FLIGHT_DECISIONS) return reject("too_many_decisions");
  return hasDeparted(occupancy.plan.departsAt, at) ? reject("flight_departed") : undefined;
}

export const disruptionHandlers = {
  CloseSales({ revision, reason }, flight, at) {
    const refusal = refused(flight, revision, at);
    if (refusal !== undefined) return refusal;
    if (flight.occupancy.sale === "closed") return reject("sales_closed");
    return accept({ type: "SalesClosed", at, data: { revision: revision + 1, reason } });
  },

  OpenSales({ revision, reason }, flight, at) {
    const refusal = refused(flight, revision, at);
    if (refusal !== undefined) return refusal;
    if (flight.occupancy.sale === "open") return reject("sales_are_open");
    return accept({ type: "SalesOpened", at, data: { revision: revision + 1, reason } });
  },

  /** Cancels the flight before its departure, and releases its holds. */
  CancelFlight({ disruptionId, revision, policy, into, reason }, flight, at) {
    const refusal = refused(flight, revision, at);
    if (refusal !== undefined) return refusal;
    const { occupancy } = flight;
    const bookings = occupancy.occupants.size;
    const accounts = accountsOn(occupancy, at);
    const decided = { disruptionId, revision: revision + 1, policy, ...(into && { into }), reason };
    const data: FlightCancelled["data"] = { ...decided, bookings, accounts };
    return accept<FlightEvent>({ type: "FlightCancelled", at, data }, ...releaseHolds(occupancy, at));
  },

  /**
   * Takes the cancellation back, before departure. Its sweep must not run, or bookings would end that nobody looked at; it
   * begins anew, to tell those that know of the cancellation.
   */
  ReinstateFlight({ revision, reason }, flight, at) {
    const refusal = refused(flight, revision, at, true);
    if (refusal !== undefined) return refusal;
    const disruption = flight.disruptions.at(-1);
    if (disruption === undefined || disruption.status === "running") return reject("disruption_running");
    const { disruptionId } = disruption;
    const sale = flight.salesClosed ? "closed" : "open";
    const accounts = accountsOn(flight.occupancy, at);
    const data = { disruptionId, revision: revision + 1, reason, sale, accounts } as const;
    return accept({ type: "FlightReinstated", at, data });
  },

  /** Gives the flight another departure or duration before its departure, in time for those who are to be there. */
  RetimeFlight({ disruptionId, revision, reason, tolerance, departsAt, durationDays }, flight, at) {
    const refusal = refused(flight, revision, at);
    if (refusal !== undefined) return refusal;
    const { occupancy } = flight;
    const { plan } = occupancy;
    const after = { departsAt, durationDays: durationDays ?? plan.durationDays };
    if (after.departsAt === plan.departsAt && after.durationDays === plan.durationDays)
      return reject("times_unchanged");
    if (departsAt < at + (departsAt < plan.departsAt ? EARLIEST : EARLIEST_DELAYED)) return reject("departs_too_soon");
    const [bookings, accounts] = [occupancy.occupants.size, accountsOn(occupancy, at)];
    const data = { disruptionId, revision: revision + 1, reason, ...after, tolerance, bookings, accounts };
    return accept({ type: "FlightRetimed", at, data });
  },

  /**
   * The flight goes with another ship, and everybody is seated there in the same append. Changes of seats that are under way are
   * decided by their bookings, so they have to end first.
   */
  ChangeEquipment({ disruptionId, revision, reason, cabins, confirmed }, flight, at) {
    const refusal = refused(flight, revision, at);
    if (refusal !== undefined) return refusal;
    const { occupancy } = flight;
    const { plan, changing } = occupancy;
    const problems = planProblems({ ...plan, cabins });
    if (problems.length > 0) return reject("invalid_plan", { problems });
    if (differsOnlyInFares(plan, { ...plan, cabins })) return reject("equipment_unchanged");
    // A cabin that the present ship lacks may have people booked in it since another one had it.
    const ships = flight.changes.flatMap((change) => (change.kind === "equipment_changed" ? change.before.cabins : []));
    const currencies = new Map([...ships, ...plan.cabins].map(({ cabin, currency }) => [cabin, currency]));
    const other = cabins.find(({ cabin, currency }) => currency !== (currencies.get(cabin) ?? currency));
    if (other !== undefined) return reject("currency_changed", { cabin: other.cabin });
    if (changing.size > 0) return reject("seats_changing");
    const { reseated, released } = seatingOn(cabins, { occupancy, confirmed }, at);
    const [bookings, accounts] = [occupancy.occupants.size, accountsOn(occupancy, at)];
    const data = { disruptionId, revision: revision + 1, reason, cabins, reseated, bookings, accounts };
    const size = JSON.stringify(data).length + released.length * RELEASED_SIZE;
    if (size > MAX_APPEND_SIZE) return reject("too_many_seats_change");
    return accept<FlightEvent>(
      ...released.map((holdId): SeatHoldReleased => ({ type: "SeatHoldReleased", at, data: { holdId } })),
      { type: "EquipmentChanged", at, data },
    );
  },

  PauseDisruption({ disruptionId }, flight, at) {
    const disruption = findDisruption(flight, disruptionId);
    if (disruption === undefined) return reject("disruption_not_found");
    if (disruption.status === "paused") return accept();
    if (disruption.status === "ended") return reject("disruption_not_running");
    return accept({ type: "DisruptionPaused", at, data: { disruptionId } });
  },

  /** Sweeps again, also after the end: those that were stuck are tried once more. */
  ResumeDisruption({ disruptionId }, flight, at) {
    const disruption = findDisruption(flight, disruptionId);
    if (disruption === undefined) return reject("disruption_not_found");
    if (disruption.status === "running") return accept();
    return accept({ type: "DisruptionResumed", at, data: { disruptionId } });
  },

  /** A no-op where the sweep was paused, has ended, or has not seen all changes. */
  EndDisruption({ disruptionId, revision, stuck }, flight, at) {
    const hasMovedOn = flight.changes.at(-1)?.revision !== revision;
    if (hasMovedOn || findDisruption(flight, disruptionId)?.status !== "running") return accept();
    return accept({ type: "DisruptionEnded", at, data: { disruptionId, stuck } });
  },
} satisfies Partial<FlightHandlers>;
