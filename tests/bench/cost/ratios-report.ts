import { middleHalf, spreadOf } from "../report/statistics.ts";
import { COST_GOALS } from "./goals.ts";
import type { MeasuredRow } from "./measure-costs.ts";
import { type BothSides, isDearer, type Ratio, ratioOf } from "./ratios.ts";
import { alignedTable, number } from "./table.ts";

const HEADINGS = ["what", "unit", "this", "other", "this ÷ other", "half of the rounds", "all rounds", "dearer"];

/** The ratios as a Markdown table; below it what got dearer, and what was left out and why. */
export function ratiosReport(rows: readonly MeasuredRow[]): string {
  const ratios: Ratio[] = [];
  const leftOut: string[] = [];
  for (const row of rows) {
    if ("failure" in row) {
      leftOut.push(`${row.name}: ${firstLine(row.failure)}`);
      continue;
    }
    const rounds = roundsOf(row.sides);
    for (const { goal } of rounds[0]?.one ?? []) {
      try {
        ratios.push(ratioOf(goal, rounds));
      } catch (error) {
        leftOut.push(`${COST_GOALS[goal].text}: ${(error as Error).message}`);
      }
    }
  }
  const dearer = ratios.filter(isDearer).map(({ goal }) => COST_GOALS[goal].text);
  return [
    alignedTable([HEADINGS, ...ratios.map(cells)]),
    "",
    dearer.length === 0 ? "Nothing got dearer." : `Dearer: ${dearer.join("; ")}.`,
    ...leftOut.map((what) => `Left out: ${what}`),
  ].join("\n");
}

/** Each round by itself: nothing is the least of several. */
function roundsOf([one, other]: Extract<MeasuredRow, { sides: unknown }>["sides"]): readonly BothSides[] {
  if (one === undefined || other === undefined) throw new RangeError("there are not two sides");
  return one.rounds.map((round, index) => {
    return { one: one.row.figures([round]), other: other.row.figures([other.rounds[index]]) };
  });
}

function cells(compared: Ratio): readonly string[] {
  const { text, unit } = COST_GOALS[compared.goal];
  const { one, other, ratios } = compared;
  const { minimum, median, maximum } = spreadOf(ratios);
  const range = (from: number, to: number) => `${from.toFixed(2)} to ${to.toFixed(2)}`;
  const spread = [median.toFixed(3), range(...middleHalf(ratios)), range(minimum, maximum)];
  return [text, unit, number(one.median), number(other.median), ...spread, isDearer(compared) ? "YES" : "no"];
}

function firstLine(text: string): string {
  return text.split("\n", 1).join();
}
