import { middleHalf, type Spread, spreadOf } from "../report/statistics.ts";
import { COST_GOALS, type CostFigure, type CostGoal, type CostGoalName } from "./goals.ts";

/** By less nothing gets dearer: as much lies between two runs of the same code. */
const TOO_LITTLE = 0.03;

/** The figures of one round, of both sides. */
export interface BothSides {
  readonly one: readonly CostFigure[];
  readonly other: readonly CostFigure[];
}

/** One figure of this code beside the same of the other, over all rounds. */
export interface Ratio {
  readonly goal: CostGoalName;
  readonly one: Spread;
  readonly other: Spread;
  /** This code's figure divided by the other's in each round. */
  readonly ratios: readonly number[];
}

/**
 * Both sides measure the same figures in each round.
 * @throws RangeError where one is no greater than nothing: a difference that noise has eaten has no ratio.
 */
export function ratioOf(goal: CostGoalName, rounds: readonly BothSides[]): Ratio {
  const values = (side: keyof BothSides) => rounds.map((round) => positive(goal, round[side]));
  const [one, other] = [values("one"), values("other")];
  const ratios = one.map((value, round) => value / (other[round] ?? Number.NaN));
  return { goal, one: spreadOf(one), other: spreadOf(other), ratios };
}

function positive(goal: CostGoalName, figures: readonly CostFigure[]): number {
  const value = figures.find((figure) => figure.goal === goal)?.value ?? Number.NaN;
  if (value > 0) return value;
  throw new RangeError(`a round came to ${value.toFixed(2)}`);
}

/**
 * By more than a little, and by more than the middle half of the rounds are apart: unlike all of them, that half gets no
 * wider with more rounds.
 */
export function isDearer({ goal, ratios }: Pick<Ratio, "goal" | "ratios">): boolean {
  const { better }: CostGoal = COST_GOALS[goal];
  // Of what is better higher less is dearer.
  const costs = better === "higher" ? ratios.map((ratio) => 1 / ratio) : ratios;
  const [from, to] = middleHalf(costs);
  return spreadOf(costs).median > 1 + Math.max(TOO_LITTLE, to - from);
}
