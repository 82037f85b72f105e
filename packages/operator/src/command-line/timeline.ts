import { printable, printableJson } from "@travel-booking/runtime/printable";
import type { Moment } from "../booking-words.ts";
import { happened } from "../happened.ts";
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

/** An entry of a booking's timeline as such a line, as a sentence. */
export function changeLine(moment: Moment, currency: string, { now, width }: TableStyle): string {
  const { revision, at, actor } = moment;
  const when = now === undefined ? at : fromNow(at, now);
  const line = printable([`#${revision}`, when, happened(moment, currency), `${actor.kind} ${actor.id}`].join("  "));
  return width === undefined ? line : cut(line, width);
}

/** `seats=1A,1B reference="R"`: short values as they are, others as JSON. */
function said(data: unknown): string {
  return Object.entries((data ?? {}) as Row)
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(" ");
}

function text(value: unknown): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return typeof value === "string" || isList ? String(value) : printableJson(value);
}
