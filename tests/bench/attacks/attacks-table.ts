import type { MeasuredAttack, Served } from "./measure-attacks.ts";

const HEADINGS = ["attack", "requests/s", "p50, ms", "p99, ms", "errors", "peak memory, MB"];

/** During each attack, and without it in parentheses: Markdown, which a terminal shows well enough. */
export function attacksTable(measured: readonly MeasuredAttack[]): string {
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  return [line(HEADINGS), line(HEADINGS.map(() => "---")), ...measured.map((one) => line(cellsOf(one)))].join("\n");
}

function cellsOf({ name, during, without }: MeasuredAttack): readonly string[] {
  const both = (figure: (served: Served) => string) => `${figure(during)} (${figure(without)})`;
  return [
    name,
    both(({ perSecond }) => perSecond.toFixed(0)),
    both(({ p50 }) => p50.toFixed(1)),
    both(({ p99 }) => p99.toFixed(1)),
    both(({ errors }) => String(errors)),
    both(({ peak }) => peak.toFixed(0)),
  ];
}
