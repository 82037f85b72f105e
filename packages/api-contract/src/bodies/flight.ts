import {
  CABINS,
  type FlightChange,
  type FlightPlan,
  type FlightTimes,
  hasDeparted,
  type Instant,
  layoutOf,
  type RecordedSeats,
  seatsOnSale,
} from "@travel-booking/domain";
import type { FlightBody, FlightStatusBody } from "../resources/flight.ts";
import { timestamp } from "./timestamp.ts";

type FareBody = FlightBody["fares"][number];

/** Cheapest first. Equal fares are in the order of their classes, lowest first. */
function byAmount(one: FareBody, other: FareBody): number {
  return one.amount - other.amount || CABINS.indexOf(one.cabin) - CABINS.indexOf(other.cabin);
}

/** A flight at that moment. An expired hold no longer counts, even if no event has recorded that yet. */
export function flightBody(recorded: RecordedSeats, at: Instant): FlightBody {
  const { flightId, from, destinationId, departsAt, durationDays, cabins } = recorded.plan;
  const fares = cabins.map(({ cabin, amount, currency }) => ({
    cabin,
    amount,
    currency,
    seatsLeft: seatsOnSale(recorded, cabin, at),
  }));
  return {
    id: flightId,
    from,
    destinationId,
    departsAt: timestamp(departsAt),
    durationDays,
    fares: fares.sort(byAmount),
  };
}

/** What operators have decided about a flight, oldest first. */
interface DecidedChanges {
  readonly revision: number;
  readonly originalDepartsAt: Instant;
  readonly changes: readonly FlightChange[];
}

/** How a flight stands at that moment, by what was decided. A cancelled one never departs. */
export function flightStatusBody(
  { flightId, departsAt: planned }: Pick<FlightPlan, "flightId" | "departsAt">,
  decided: DecidedChanges | undefined,
  at: Instant,
): FlightStatusBody {
  const { revision = 0, originalDepartsAt = planned, changes = [] } = decided ?? {};
  const { departsAt } = changes.findLast(({ after }) => after !== null)?.after ?? { departsAt: originalDepartsAt };
  return {
    flightId,
    status: flightStatus(departsAt, changes, at),
    departsAt: timestamp(departsAt),
    originalDepartsAt: timestamp(originalDepartsAt),
    revision,
    changes: changes.map(({ kind, revision, at, reason, before, after }) => {
      const changed = { before: before && changedBody(before), after: after && changedBody(after) };
      return { kind, revision, at: timestamp(at), reason, ...changed };
    }),
  };
}

function flightStatus(departsAt: Instant, changes: readonly FlightChange[], at: Instant): FlightStatusBody["status"] {
  if (changes.at(-1)?.kind === "cancelled") return "cancelled";
  if (hasDeparted(departsAt, at)) return "departed";
  return changes.some(({ kind }) => kind === "retimed") ? "retimed" : "scheduled";
}

/** With the cabins of the ship where that has changed. */
function changedBody({ departsAt, durationDays, cabins }: FlightTimes & Partial<Pick<FlightPlan, "cabins">>) {
  const seats = cabins?.map((plan) => ({ cabin: plan.cabin, seats: layoutOf(plan).unblocked }));
  return { departsAt: timestamp(departsAt), durationDays, ...(seats && { cabins: seats }) };
}
