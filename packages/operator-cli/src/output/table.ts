export type Row = Readonly<Record<string, unknown>>;

const NOTHING = "-";
const GAP = "  ";

/** Text from elsewhere must not steer the terminal it is shown on. */
function escapeControlCharacters(text: string): string {
  return text.replace(/\p{Cc}/gu, "\uFFFD");
}

function show(value: unknown): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (typeof value === "string") return escapeControlCharacters(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return escapeControlCharacters(value.join(" "));
  return escapeControlCharacters(typeof value === "object" ? JSON.stringify(value) : String(value));
}

function align(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(GAP)
    .trimEnd();
}

/** One row a line under a heading; the columns are the fields of all rows, in the order they first appear. */
export function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return "none";
  const lines = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  return lines.map((cells) => align(cells, widths)).join("\n");
}

/** One field a line. */
export function fieldList(row: Row): string {
  const names = Object.keys(row);
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => align([name, show(row[name])], [width, 0])).join("\n");
}
