/** What becomes of those who have paid. */
export const DISRUPTION_POLICIES = ["refund"] as const;
export type DisruptionPolicy = (typeof DISRUPTION_POLICIES)[number];

/** What a booking has to know to follow its flight. */
export interface FlightChange {
  readonly disruptionId: string;
  readonly kind: "cancelled";
  readonly revision: number;
  readonly policy: DisruptionPolicy;
  readonly reason: string | null;
  /** When it was decided, in milliseconds since 1970. */
  readonly at: number;
  /** Of the flight before the change. */
  readonly durationDays: number;
}

/** Finds what has happened to a disrupted flight; undefined: nothing that anybody knows of. */
export type FlightNews = (flightId: string) => FlightChange | undefined;
