/** A row of the table: what was found at first, and how good it must be. */
export interface CostGoal {
  readonly text: string;
  readonly unit: "×" | "events/s" | "B" | "MB" | "ms" | "s";
  /** Where it was measured then. */
  readonly before?: number;
  readonly first?: number;
  readonly goal: number;
  readonly better?: "higher";
}

/** `×`: CPU of all threads, per operation, divided by that of the bare validated POST (c) if nothing else is named. */
export const COST_GOALS = {
  book: { text: "book", unit: "×", before: 5.8, first: 4, goal: 2.8 },
  full: { text: "book on full flights ÷ on empty ones", unit: "×", before: 1.5, first: 1.15, goal: 1.1 },
  sealing: { text: "book with personal words sealed ÷ plain", unit: "×", goal: 1.1 },
  hold: { text: "hold", unit: "×", before: 4.5, first: 3.3, goal: 2.5 },
  pay: { text: "pay", unit: "×", before: 16, first: 8, goal: 6 },
  stripe: { text: "pay through Stripe ÷ in the sandbox", unit: "×", goal: 2 },
  get: { text: "GET booking", unit: "×", before: 1.3, first: 0.85, goal: 0.75 },
  list: { text: "list of 20 ÷ the same list from memory", unit: "×", before: 4, first: 1.5, goal: 1.3 },
  rebuild: { text: "rebuild, per event", unit: "×", before: 1.5, first: 0.5, goal: 0.2 },
  "rebuild-rate": { text: "rebuild", unit: "events/s", before: 13_000, goal: 50_000, better: "higher" },
  delivery: { text: "delivery", unit: "×", before: 2.1, first: 1.7, goal: 1.4 },
  "bytes-booking": { text: "read models per booking", unit: "B", before: 7_900, goal: 2_000 },
  "bytes-payment": { text: "read models per payment", unit: "B", before: 13_200, goal: 1_600 },
  "bytes-log": { text: "log per booking and payment", unit: "B", before: 1_100, goal: 1_300 },
  memory: { text: "anonymous memory", unit: "MB", before: 1_400, goal: 400 },
  "memory-growth": { text: "anonymous memory after twice as many bookings ÷", unit: "×", goal: 1.05 },
  tail: { text: "p99 of a booking at half load − (c)'s", unit: "ms", before: 28, goal: 5 },
  visible: { text: "from 201 to visible, p99 at half load", unit: "ms", before: 97, goal: 50 },
  scavenge: { text: "longest scavenge at half load", unit: "ms", before: 16, goal: 4 },
  overload: { text: "goodput at twice the capacity ÷ capacity", unit: "×", goal: 0.9, better: "higher" },
  "one-wall": { text: "a booking on one connection", unit: "ms", before: 2.5, goal: 2 },
  "one-cpu": { text: "CPU of a booking on one connection", unit: "ms", before: 2, goal: 1 },
  pass: { text: "a PDF for nine Han names, longest turn of the request thread", unit: "ms", before: 2_600, goal: 5 },
  start: { text: "start to ready, empty folder", unit: "s", before: 5, first: 4, goal: 1.5 },
  "start-full": { text: "start to ready, this store", unit: "s", goal: 3 },
  help: { text: "--help of the command line", unit: "s", before: 0.45, first: 0.23, goal: 0.2 },
} as const satisfies Readonly<Record<string, CostGoal>>;

export type CostGoalName = keyof typeof COST_GOALS;

/** What was measured for one goal, and what it was made of. */
export interface CostFigure {
  readonly goal: CostGoalName;
  readonly value: number;
  readonly detail: string;
}
