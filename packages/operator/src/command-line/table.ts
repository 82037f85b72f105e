import { styleText } from "node:util";
import { printable, printableJson } from "@travel-booking/runtime/printable";
import stringWidth from "string-width";

export type Row = Readonly<Record<string, unknown>>;

/** The style of tables. Output that is no terminal gets plain tables of full width, the same each time. */
export interface TableStyle {
  /** Columns of the terminal; undefined: the width is not limited. */
  readonly width: number | undefined;
  /** Milliseconds since the epoch, to show times relative to it; undefined: times are shown as they are. */
  readonly now: number | undefined;
  readonly colours: boolean;
}

export const PLAIN: TableStyle = { width: undefined, now: undefined, colours: false };

const NOTHING = "-";
const GAP = "  ";
const CUT = "…";
/** A narrower column would show too little. */
const LEAST = 14;

/** One row per line under a heading. The columns are the fields of all rows, in the order of their first appearance. */
export function table(rows: readonly Row[], style: TableStyle): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return "none";
  const lines = [columns, ...rows.map((row) => columns.map((column) => show(row[column], style)))];
  const natural = columns.map((_, index) => Math.max(...lines.map((cells) => stringWidth(cells[index] ?? ""))));
  const widths = fit(columns, natural, style.width);
  const shown = lines.map((cells, line) => {
    const padded = widths.map((width, index) => paint(cut(cells[index] ?? "", width), width, line === 0, style));
    return padded.join(GAP).trimEnd();
  });
  const left = columns.slice(widths.length);
  return left.length === 0 ? shown.join("\n") : [...shown, `--wide also shows ${left.join(", ")}`].join("\n");
}

/** One field per line. Nested fields are written as `field.within`. */
export function fieldList(row: Row, style: TableStyle): string {
  const fields = flat(row);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => {
      const shown = show(value, style);
      return `${paint(name, width, true, style)}${GAP}${paint(shown, 0, false, style)}`.trimEnd();
    })
    .join("\n");
}

function flat(value: object, prefix = ""): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(value).flatMap(([field, within]) => {
    const name = prefix + printable(field);
    const isBranch = typeof within === "object" && within !== null && !isSeries(within) && !isTexts(within);
    return isBranch && Object.keys(within).length > 0 ? flat(within, `${name}.`) : [[name, within] as const];
  });
}

const isTexts = (value: object) => Array.isArray(value) && value.every((entry) => typeof entry === "string");
const isSeries = (value: object) => Array.isArray(value) && value.every((entry) => typeof entry === "number");

function show(value: unknown, { now }: TableStyle): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (typeof value === "object" && isTexts(value)) return printable((value as readonly string[]).join(" ")) || NOTHING;
  if (typeof value === "object" && isSeries(value)) return series(value as readonly number[]);
  if (typeof value === "object") return printableJson(value);
  const text = printable(String(value));
  return now === undefined ? text : fromNow(text, now);
}

const BARS = "▁▂▃▄▅▆▇█";
/** As many as fit on a line beside a name. */
const SHOWN_OF_SERIES = 40;

/** The last figure, and bars for the figures before it. */
function series(figures: readonly number[]): string {
  const shown = figures.slice(-SHOWN_OF_SERIES);
  const most = Math.max(...shown);
  const bars = shown.map((figure) => BARS[most > 0 ? Math.floor((Math.max(0, figure) / most) * (BARS.length - 1)) : 0]);
  return `${figures.at(-1) ?? NOTHING} ${bars.join("")}`.trimEnd();
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** `3 min ago`, `in 2 h`. A text that is no moment is returned unchanged. */
export function fromNow(text: string, now: number): string {
  if (!MOMENT.test(text)) return text;
  const distance = Date.parse(text) - now;
  const [unit, name] = UNITS.find(([ms]) => Math.abs(distance) >= ms) ?? UNITS[3];
  const count = Math.floor(Math.abs(distance) / unit);
  if (count === 0) return "now";
  return distance < 0 ? `${count} ${name} ago` : `in ${count} ${name}`;
}

/** Widths of the columns that are shown. Wide columns shrink first, except ids. Then the last columns are dropped. */
function fit(
  columns: readonly string[],
  natural: readonly number[],
  width = Number.POSITIVE_INFINITY,
): readonly number[] {
  const widths = [...natural];
  const isTooWide = () => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) > width;
  while (isTooWide()) {
    const shrinkable = widths.map((each, index) => (columns[index] === "id" ? 0 : each));
    const widest = Math.max(...shrinkable);
    if (widest > LEAST) widths[shrinkable.indexOf(widest)] = widest - 1;
    else if (widths.length > 1) widths.pop();
    else break;
  }
  return widths;
}

const LETTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cuts a text to this width on the screen. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = "";
  for (const { segment } of LETTERS.segment(text)) {
    if (stringWidth(shown + segment) >= width) break;
    shown += segment;
  }
  return shown + CUT;
}

/** Colours of status words: good, to be watched, bad. */
const COLOURS: Readonly<Record<string, "green" | "yellow" | "red">> = {
  ...Object.fromEntries(
    ["active", "confirmed", "live", "matched", "ok", "ready", "succeeded", "verified", "won"].map((word) => [
      word,
      "green",
    ]),
  ),
  ...Object.fromEntries(
    ["catching up", "needs_response", "partial", "pending", "rebuilding", "under_review", "unmatched", "warning"].map(
      (word) => [word, "yellow"],
    ),
  ),
  ...Object.fromEntries(
    ["exhausted", "failed", "failing", "lost", "paused", "rejected", "revoked", "stopped", "suspended"].map((word) => [
      word,
      "red",
    ]),
  ),
};

/** Padded to the width on the screen. */
function paint(text: string, width: number, isHeading: boolean, { colours }: TableStyle): string {
  const padding = " ".repeat(Math.max(0, width - stringWidth(text)));
  if (!colours) return text + padding;
  const format = isHeading ? "bold" : COLOURS[text];
  return (format === undefined ? text : styleText(format, text, { validateStream: false })) + padding;
}
