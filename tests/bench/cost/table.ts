import { COST_GOALS, type CostFigure, type CostGoal } from "./goals.ts";

const HEADINGS = ["what", "unit", "measured", "at first", "first goal", "goal", "met", "made of"];

export function number(value: number | undefined): string {
  if (value === undefined) return "-";
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toFixed(2)));
}

function cells({ goal: name, value, detail }: CostFigure): readonly string[] {
  const { text, unit, before, first, goal, better }: CostGoal = COST_GOALS[name];
  const sign = better === "higher" ? "≥" : "≤";
  const reaches = (bound: number) => (better === "higher" ? value >= bound : value <= bound);
  const met = reaches(goal) ? "yes" : first !== undefined && reaches(first) ? "the first" : "NO";
  return [text, unit, number(value), number(before), number(first), `${sign} ${number(goal)}`, met, detail];
}

export function costTable(figures: readonly CostFigure[]): string {
  return alignedTable([HEADINGS, ...figures.map(cells)]);
}

/** A Markdown table, its columns aligned; the first row is the headings. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head, ...body] = rows.map(line);
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n");
}
