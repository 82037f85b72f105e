import { printable, printableJson } from "./printable.ts";
import { fromNow, type Row, type TableStyle } from "./table.ts";

/** An event of the log as one line for people: where it is, when, what, by whom, and what it says. */
export function eventLine(event: Row, place: string, { now, width }: TableStyle): string {
  const { at, type, data, metadata } = event;
  const { actor } = (metadata ?? {}) as { readonly actor?: { readonly kind?: unknown; readonly id?: unknown } };
  const when = now === undefined ? String(at) : fromNow(String(at), now);
  const line = [place, when, String(type), `${actor?.kind ?? "-"} ${actor?.id ?? ""}`.trim(), said(data)].join("  ");
  const text = printable(line);
  return width === undefined || text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** `seats=1A,1B reference="R"`: what is short as it is, the rest as JSON. */
function said(data: unknown): string {
  return Object.entries((data ?? {}) as Row)
    .map(([name, value]) => {
      const isList = Array.isArray(value) && value.every((each) => typeof each !== "object");
      return `${name}=${typeof value === "string" || isList ? String(value) : printableJson(value)}`;
    })
    .join(" ");
}
