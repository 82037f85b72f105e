import { type Measurement, summarise } from "./measurement.ts";
import type { Spread } from "./statistics.ts";

const HEADINGS = ["goal", "what", "min", "median", "max", "wanted", "met", "measured", "reference", "unit"];

function figure(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en");
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

function range({ minimum, median, maximum }: Spread): string {
  return `${figure(median)} (${figure(minimum)} to ${figure(maximum)})`;
}

function cells(measurement: Measurement): readonly string[] {
  const { goal, compared, measured, reference, met } = summarise(measurement);
  const { subject, unit } = measurement;
  return [
    goal.name,
    subject === "" ? goal.text : `${goal.text}: ${subject}`,
    figure(compared.minimum),
    figure(compared.median),
    figure(compared.maximum),
    `${goal.better === "higher" ? "≥" : "≤"} ${goal.bound}`,
    met ? "yes" : "NO",
    range(measured),
    reference === null ? "-" : range(reference),
    unit,
  ];
}

function rowsOf(measurements: readonly Measurement[]): readonly (readonly string[])[] {
  return [HEADINGS, ...measurements.map(cells)];
}

function notes(measurements: readonly Measurement[]): readonly string[] {
  return measurements.flatMap(({ goal, subject, note }) =>
    note === undefined ? [] : [`${goal}${subject === "" ? "" : ` ${subject}`}: ${note}`],
  );
}

/** For a terminal. */
export function textTable(measurements: readonly Measurement[]): string {
  const rows = rowsOf(measurements);
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...notes(measurements).map((note) => `  ${note}`)].join("\n");
}

export function markdownTable(measurements: readonly Measurement[]): string {
  const [headings = [], ...rows] = rowsOf(measurements);
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  const table = [line(headings), line(headings.map(() => "---")), ...rows.map(line)];
  const remarks = notes(measurements).map((note) => `- ${note}`);
  return [...table, ...(remarks.length === 0 ? [] : ["", ...remarks])].join("\n");
}
