/** A goal of the service, as a bound on the median over all rounds. */
export interface Goal {
  readonly name: string;
  /** What is divided by what. */
  readonly text: string;
  readonly bound: number;
  readonly better: "higher" | "lower";
}

export const GOAL_NAMES = ["P2", "P3", "D1"] as const;
export type GoalName = (typeof GOAL_NAMES)[number];

export const GOALS: Readonly<Record<GoalName, Omit<Goal, "name">>> = {
  P2: { text: "all clients on one flight ÷ spread over many", bound: 0.9, better: "higher" },
  P3: { text: "event store append, 64 in flight ÷ bare file append (d)", bound: 0.35, better: "higher" },
  D1: { text: "others' p99 while a flight of 1,000 bookings is cancelled ÷ before", bound: 1.5, better: "lower" },
};
