import { type Html, html } from "@travel-booking/http/html";
import { figures, table } from "./parts.ts";

/** What is counted: above the line, or below it. */
interface Series {
  readonly name: string;
  /** One for each period. */
  readonly values: readonly number[];
}

interface Chart {
  /** Of the bars, from left to right. */
  readonly periods: readonly string[];
  readonly up: Series;
  readonly down?: Series;
  readonly show: (value: number) => string;
}

/** Of a drawing, which is stretched to its place. */
const BAR = 10;
const GAP = 1.5;
const HEIGHT = 100;

/** Bars over time with what they come to, and the same as a table. */
export function chart({ periods, up, down, show }: Chart): Html {
  const highest = Math.max(0, ...up.values);
  const lowest = Math.max(0, ...(down?.values ?? []));
  const unit = HEIGHT / Math.max(1, highest + lowest);
  const line = highest * unit;
  const bar = (name: "up" | "down", value: number, index: number) => {
    if (value === 0) return undefined;
    const y = name === "up" ? line - value * unit : line;
    return html`<rect class="${name}" x="${index * BAR + GAP}" y="${y.toFixed(2)}" width="${BAR - 2 * GAP}" height="${(value * unit).toFixed(2)}"><title>${periods[index]}: ${show(value)}</title></rect>`;
  };
  const width = periods.length * BAR;
  const total = ({ name, values }: Series, tone: "up" | "down") => ({
    value: show(values.reduce((sum, value) => sum + value, 0)),
    name,
    tone,
  });
  const rows = periods.map((period, index) => [
    period,
    show(up.values[index] ?? 0),
    ...(down === undefined ? [] : [show(down.values[index] ?? 0)]),
  ]);
  return html`${figures([total(up, "up"), ...(down === undefined ? [] : [total(down, "down")])])}
<svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><line x1="0" x2="${width}" y1="${line.toFixed(2)}" y2="${line.toFixed(2)}"/>${up.values.map((value, index) => bar("up", value, index))}${down?.values.map((value, index) => bar("down", value, index))}</svg>
<p class="axis" aria-hidden="true"><span>${periods[0]}</span><span>at most ${show(Math.max(highest, lowest))}</span><span>${periods.at(-1)}</span></p>
<details><summary>As a table</summary>${table(["period", up.name, ...(down === undefined ? [] : [down.name])], rows)}</details>`;
}
