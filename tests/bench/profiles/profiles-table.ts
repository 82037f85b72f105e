import { spreadOf } from "../report/statistics.ts";
import type { ComparedProfiles } from "./compare-profiles.ts";

const HEADINGS = ["what", "unit", "embedded", "distributed", "distributed ÷ embedded"];

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

function spread(values: readonly number[]): string {
  const { minimum, median, maximum } = spreadOf(values);
  return `${figure(median)} (${figure(minimum)} to ${figure(maximum)})`;
}

function cells({ what, unit, rounds }: ComparedProfiles): readonly string[] {
  const { measured, reference } = {
    measured: rounds.map((round) => round.measured),
    reference: rounds.map((round) => round.reference ?? Number.NaN),
  };
  const ratios = measured.map((value, index) => value / (reference[index] ?? Number.NaN));
  return [what, unit, spread(reference), spread(measured), spread(ratios)];
}

/** Both profiles side by side, as a Markdown table, which a terminal shows well enough. */
export function profilesTable(compared: readonly ComparedProfiles[]): string {
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  return [line(HEADINGS), line(HEADINGS.map(() => "---")), ...compared.map((row) => line(cells(row)))].join("\n");
}
