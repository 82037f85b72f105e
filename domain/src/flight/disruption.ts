import type { FlightChange } from "../shared/flight-change.ts";
import type { FlightEvent } from "./events.ts";

/** The last disruption of a flight. */
export interface Disruption extends Omit<FlightChange, "durationDays"> {
  /** `ended`: nobody is swept any more. */
  readonly status: "running" | "paused" | "ended";
  /** The bookings that the sweep gave up. */
  readonly stuck: readonly string[];
}

/** What a flight knows of the decisions about it. `revision` counts them. */
export interface Disrupted {
  readonly revision: number;
  readonly disruption: Disruption | null;
}

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
    default:
      return undefined;
  }
}

/** Folds what operators decide about a flight, and how its sweep goes. */
export function evolveDisruption<F extends Disrupted>(flight: F, event: FlightEvent): F {
  const { disruption } = flight;
  switch (event.type) {
    case "SalesClosed":
    case "SalesOpened":
      return { ...flight, revision: event.data.revision };
    case "FlightCancelled": {
      const { bookings: _, accounts: __, ...decided } = event.data;
      const begun = { ...decided, kind: "cancelled", at: event.at, status: "running", stuck: [] } as const;
      return { ...flight, revision: decided.revision, disruption: begun };
    }
    case "DisruptionPaused":
      return { ...flight, disruption: disruption && { ...disruption, status: "paused" } };
    case "DisruptionResumed":
      return { ...flight, disruption: disruption && { ...disruption, status: "running", stuck: [] } };
    case "DisruptionEnded":
      return { ...flight, disruption: disruption && { ...disruption, status: "ended", stuck: event.data.stuck } };
    default:
      return flight;
  }
}
