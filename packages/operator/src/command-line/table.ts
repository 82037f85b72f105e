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

/** The columns that tell most, which a narrow terminal shows first. */
const FIRST = ["name", "status", "state", "amount", "currency", "id", "reason", "reference", "url", "error"];

/**
 * One row per line under a heading. The columns are the fields of all rows, in the order of their first appearance; on a
 * terminal those that tell most come first.
 */
export function table(rows: readonly Row[], style: TableStyle): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (fields.length === 0) return "none";
  const first = FIRST.filter((field) => fields.includes(field));
  const columns = style.width === undefined ? fields : [...new Set([...first, ...fields])];
  const lines = [columns, ...rows.map((row) => columns.map((column) => show(row[column], style)))];
  const natural = columns.map((_, index) => Math.max(...lines.map((cells) => stringWidth(cells[index] ?? ""))));
  const widths = fit(columns, natural, style.width);
  const shown = lines.map((cells, line) => {
    const padded = [...widths].map(([index, width]) => paint(cut(cells[index] ?? "", width), width, line === 0, style));
    return padded.join(GAP).trimEnd();
  });
  const left = columns.filter((_, index) => !widths.has(index));
  return left.length === 0 ? shown.join("\n") : [...shown, `--wide also shows ${left.join(", ")}`].join("\n");
}

/** One field per line. Nested fields are written as `field.within`. */
export function fieldList(row: Row, style: TableStyle): string {
  const fields = flat(row);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => {
      const shown = name.includes(SERIES) ? series(value as readonly number[]) : show(momentOf(name, value), style);
      return `${paint(name, width, true, style)}${GAP}${paint(shown, 0, false, style)}`.trimEnd();
    })
    .join("\n");
}

/** Figures over time, oldest first. */
const SERIES = ".series.";

/** A state has times in milliseconds since the epoch. */
function momentOf(name: string, value: unknown): unknown {
  return typeof value === "number" && /At$/.test(name) ? new Date(value).toISOString() : value;
}

function flat(value: object, prefix = ""): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(value).flatMap(([field, within]) => {
    const name = prefix + printable(field);
    const isBranch = typeof within === "object" && within !== null && !isPlainList(within);
    return isBranch && Object.keys(within).length > 0 ? flat(within, `${name}.`) : [[name, within] as const];
  });
}

const isPlainList = (value: object) =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string" || typeof entry === "number");

function show(value: unknown, { now }: TableStyle): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (typeof value === "object" && isPlainList(value))
    return printable((value as readonly unknown[]).join(" ")) || NOTHING;
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

/**
 * The columns that are shown, by index, with their widths. What has no room is left out. Wide columns shrink, except ids:
 * a part of one is of no use.
 */
function fit(
  columns: readonly string[],
  natural: readonly number[],
  width = Number.POSITIVE_INFINITY,
): ReadonlyMap<number, number> {
  const least = (index: number) =>
    (columns[index] === "id" ? natural[index] : Math.min(natural[index] ?? 0, LEAST)) ?? 0;
  const widths = new Map<number, number>();
  let used = -GAP.length;
  columns.forEach((_, index) => {
    if (widths.size > 0 && used + GAP.length + least(index) > width) return;
    widths.set(index, least(index));
    used += GAP.length + least(index);
  });
  // What room is left goes to those that are cut, first come first served.
  for (const [index, given] of widths) {
    const more = Math.min((natural[index] ?? 0) - given, Math.max(0, width - used));
    widths.set(index, given + more);
    used += more;
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
