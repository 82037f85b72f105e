import { GOALS, type Goal, type GoalName } from "./goals.ts";
import { type Spread, spreadOf } from "./statistics.ts";

/** One round: what was measured, and its bare reference measured right before it; null for an absolute goal. */
export interface Round {
  readonly measured: number;
  readonly reference: number | null;
}

/** One row of the result: a goal, or one of the things a goal is measured on. */
export interface Measurement {
  readonly goal: GoalName;
  /** What it was measured on, where a goal has several rows. */
  readonly subject: string;
  readonly unit: string;
  readonly rounds: readonly Round[];
  /** What else there is to know about these figures. */
  readonly note?: string;
}

export interface Summary {
  readonly goal: Goal;
  readonly compared: Spread;
  readonly measured: Spread;
  readonly reference: Spread | null;
  readonly met: boolean;
}

/** Ratio against the reference, or the figure itself where the goal is absolute. */
export function summarise({ goal: name, rounds }: Measurement): Summary {
  const goal = { name, ...GOALS[name] };
  const compared = spreadOf(rounds.map(({ measured, reference }) => measured / (reference ?? 1)));
  const references = rounds.flatMap(({ reference }) => (reference === null ? [] : [reference]));
  return {
    goal,
    compared,
    measured: spreadOf(rounds.map(({ measured }) => measured)),
    reference: references.length === 0 ? null : spreadOf(references),
    met: goal.better === "higher" ? compared.median >= goal.bound : compared.median <= goal.bound,
  };
}
