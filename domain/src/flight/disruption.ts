import type { FlightChange, FlightTimes } from "../shared/flight-change.ts";
import type { FlightEvent, FlightPlan } from "./events.ts";

/** How the sweep of a disruption goes. */
export interface Disruption {
  readonly disruptionId: string;
  /** `ended`: nobody is swept any more. */
  readonly status: "running" | "paused" | "ended";
  /** The bookings that the sweep gave up. */
  readonly stuck: readonly string[];
}

/** What a flight knows of the decisions about it. */
export interface Disrupted {
  /** How often an operator has decided on it. */
  readonly revision: number;
  /** Whether its sales were closed, and not opened since. */
  readonly salesClosed: boolean;
  /** What its bookings have to follow, oldest first. */
  readonly changes: readonly FlightChange[];
  /** Oldest first. */
  readonly disruptions: readonly Disruption[];
}

export const UNDISRUPTED: Disrupted = { revision: 0, salesClosed: false, changes: [], disruptions: [] };

/** Whether the flight takes new holds, bookings and upgrades, only what was sold before, or nothing ever. */
export type Sale = "open" | "closed" | "cancelled";

/** What a decision makes of the sale of a flight; undefined: it stays as it is. */
export function saleAfter(event: FlightEvent): Sale | undefined {
  switch (event.type) {
    case "SalesClosed":
      return "closed";
    case "SalesOpened":
      return "open";
    case "FlightCancelled":
      return "cancelled";
    case "FlightReinstated":
      return event.data.sale;
    default:
      return undefined;
  }
}

/** The change of a flight with this plan that its bookings have to follow; undefined: there is none. */
export function changeMadeBy(event: FlightEvent, plan: FlightPlan): FlightChange | undefined {
  const times = timesOf(plan);
  switch (event.type) {
    case "FlightCancelled":
      return {
        ...decided(event),
        kind: "cancelled",
        policy: event.data.policy,
        ...(event.data.into && { into: event.data.into }),
        before: times,
        after: null,
      };
    case "FlightReinstated":
      return { ...decided(event), kind: "reinstated", before: null, after: times };
    case "FlightRetimed": {
      const { tolerance } = event.data;
      return { ...decided(event), kind: "retimed", tolerance, before: times, after: timesOf(event.data) };
    }
    case "EquipmentChanged": {
      const { cabins, reseated } = event.data;
      const ships = { before: { ...times, cabins: plan.cabins }, after: { ...times, cabins } };
      return { ...decided(event), kind: "equipment_changed", ...ships, reseated };
    }
    default:
      return undefined;
  }
}

type ToFollow = Extract<FlightEvent, { readonly data: { readonly disruptionId: string; readonly revision: number } }>;

function decided({ at, data: { disruptionId, revision, reason } }: ToFollow) {
  return { disruptionId, revision, reason, at };
}

export function timesOf({ departsAt, durationDays }: FlightTimes): FlightTimes {
  return { departsAt, durationDays };
}

/** Folds what operators decide about a flight with this plan, and how the sweeps go. */
export function evolveDisruptions<F extends Disrupted>(flight: F, event: FlightEvent, plan: FlightPlan): F {
  const change = changeMadeBy(event, plan);
  const changes = change === undefined ? flight.changes : [...flight.changes, change];
  const revision = "revision" in event.data ? event.data.revision : flight.revision;
  const after = { ...flight, revision, changes };
  switch (event.type) {
    case "SalesClosed":
    case "SalesOpened":
      return { ...after, salesClosed: event.type === "SalesClosed" };
    case "FlightCancelled":
    case "FlightRetimed":
    case "EquipmentChanged": {
      const begun = { disruptionId: event.data.disruptionId, status: "running", stuck: [] } as const;
      return { ...after, disruptions: [...flight.disruptions, begun] };
    }
    case "FlightReinstated":
    case "DisruptionPaused":
    case "DisruptionResumed":
    case "DisruptionEnded":
      return { ...after, disruptions: flight.disruptions.map((each) => sweptOn(each, event)) };
    default:
      return flight;
  }
}

/** How a sweep goes after an event of it, by the type of that. */
const SWEEP_STATUS = {
  FlightReinstated: "running",
  DisruptionPaused: "paused",
  DisruptionResumed: "running",
  DisruptionEnded: "ended",
} as const satisfies Partial<Record<FlightEvent["type"], Disruption["status"]>>;

type OfSweep = Extract<FlightEvent, { readonly type: keyof typeof SWEEP_STATUS }>;

/** Whether the event tells how a sweep goes that has begun before. */
export function isOfSweep(event: FlightEvent): event is OfSweep {
  return event.type in SWEEP_STATUS;
}

/** How a disruption is swept after such an event; one of another disruption changes nothing. */
export function sweptOn<D extends Disruption>(disruption: D, { type, data }: OfSweep): D {
  if (data.disruptionId !== disruption.disruptionId) return disruption;
  const stuck = type === "DisruptionEnded" ? data.stuck : [];
  return { ...disruption, status: SWEEP_STATUS[type], stuck };
}
