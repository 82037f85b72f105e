import { printable, printableJson } from "@travel-booking/runtime/printable";
import { cut, fromNow, type Row, type TableStyle } from "./table.ts";

/** An event of the log as one line for people: its place, time, type, actor and data. */
export function eventLine(event: Row, place: string, { now, width }: TableStyle): string {
  const { at, type, data, metadata } = event;
  const { actor } = (metadata ?? {}) as { readonly actor?: { readonly kind?: unknown; readonly id?: unknown } };
  const when = now === undefined ? String(at) : fromNow(String(at), now);
  const line = [place, when, String(type), `${actor?.kind ?? "-"} ${actor?.id ?? ""}`.trim(), said(data)].join("  ");
  const text = printable(line);
  return width === undefined ? text : cut(text, width);
}

/** An entry of a booking's timeline as such a line, with the changes as its data. */
export function changeLine(entry: Row, style: TableStyle): string {
  const changes = Object.entries((entry.changes ?? {}) as Readonly<Record<string, { from: unknown; to: unknown }>>);
  const data = changes
    .filter(([, { from, to }]) => from !== null || (to !== 0 && to !== false && String(to) !== ""))
    .map(([field, { from, to }]) => [field, from === null ? to : difference(from, to)]);
  return eventLine({ ...entry, metadata: entry, data: Object.fromEntries(data) }, `#${entry.revision}`, style);
}

/** `seats=1A,1B reference="R"`: short values as they are, others as JSON. */
function said(data: unknown): string {
  return Object.entries((data ?? {}) as Row)
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(" ");
}

/** A change of a value. Of a list of objects, only entries that are new or have changed. */
function difference(from: unknown, to: unknown): string {
  const isLong = Array.isArray(from) && Array.isArray(to) && to.some((entry) => typeof entry === "object");
  if (!isLong) return `${text(from)} → ${text(to)}`;
  const earlier = new Set(from.map((entry) => JSON.stringify(entry)));
  const fresh = to.filter((entry) => !earlier.has(JSON.stringify(entry)));
  return fresh.length > 0 && from.length <= to.length ? `+ ${text(fresh)}` : `${text(from)} → ${text(to)}`;
}

function text(value: unknown): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return typeof value === "string" || isList ? String(value) : printableJson(value);
}
