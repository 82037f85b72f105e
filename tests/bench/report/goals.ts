/** A goal of the service, as a bound on the median over all rounds. */
export interface Goal {
  readonly name: string;
  /** What is divided by what. */
  readonly text: string;
  readonly bound: number;
  readonly better: "higher" | "lower";
}

export const GOAL_NAMES = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P9", "P10", "P12", "W1", "W2"] as const;
export type GoalName = (typeof GOAL_NAMES)[number];

export const GOALS: Readonly<Record<GoalName, Omit<Goal, "name">>> = {
  P1: { text: "durable commands ÷ bare validated POST (c)", bound: 0.85, better: "higher" },
  P2: { text: "all clients on one flight ÷ spread over many", bound: 0.9, better: "higher" },
  P3: { text: "event store append, 64 in flight ÷ bare file append (d)", bound: 0.7, better: "higher" },
  P4: { text: "replay through the port ÷ bare LMDB replay (e)", bound: 0.8, better: "higher" },
  P5: { text: "rebuild of the bookings read model ÷ bare LMDB replay (e)", bound: 0.2, better: "higher" },
  P6: { text: "authenticated GET by id ÷ bare hello", bound: 0.8, better: "higher" },
  P7: { text: "deliveries ÷ bare signed POSTs (g)", bound: 0.5, better: "higher" },
  P9: { text: "p99 at half load ÷ p99 of (c) at the same rate", bound: 1.2, better: "lower" },
  P10: { text: "from 201 to visible under half load, p99, in ms", bound: 100, better: "lower" },
  W1: { text: "deliveries to a thousand endpoints ÷ to ten", bound: 0.9, better: "higher" },
  W2: { text: "good receivers' p99 beside bad ones ÷ beside good ones", bound: 1.2, better: "lower" },
  P12: { text: "start to ready with many events ÷ with few", bound: 1.5, better: "lower" },
};
