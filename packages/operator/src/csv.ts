import { printable } from "@travel-booking/runtime/printable";

/** A spreadsheet takes a cell that begins so for a formula, and carries it out. In many countries cells end at a semicolon. */
const FORMULA = /(^|;)(?=[=+\-@])/g;

/** A line of a CSV file (RFC 4180), without its end. Null is an empty cell. */
function csvLine(cells: readonly unknown[]): string {
  return cells.map((cell) => quoted(harmless(printable(String(cell ?? ""))))).join(",");
}

function harmless(text: string): string {
  return text.replaceAll(FORMULA, "$1'");
}

function quoted(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The lines of a table. @param known its columns; without, they are the fields of the first record. */
export async function* csvLines(records: AsyncIterable<object>, known?: readonly string[]): AsyncGenerator<string> {
  let columns: readonly string[] | undefined;
  for await (const record of records) {
    if (columns === undefined) {
      columns = known ?? Object.keys(record);
      yield csvLine(columns);
    }
    yield csvLine(columns.map((column) => (record as Readonly<Record<string, unknown>>)[column]));
  }
  if (columns === undefined && known !== undefined) yield csvLine(known);
}
