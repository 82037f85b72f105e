import { type Html, html, type Part } from "@travel-booking/http/html";

/** A table that stays readable on a phone: there each cell carries its column's name. */
export function table(columns: readonly string[], rows: readonly (readonly Part[])[], none = "none"): Html {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  const cells = (row: readonly Part[]) =>
    row.map((cell, at) => html`<td data-name="${columns[at]}"><div>${cell}</div></td>`);
  return html`<div class="scroll"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

/** A list of names and values. */
export function facts(entries: Readonly<Record<string, Part>>): Html {
  return html`<dl>${Object.entries(entries).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** By which a section is found. */
export const idOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** A part of a page; `live`: it is updated while it is open. A page with one such part is rendered as a whole to know. */
export function section(title: string, content: Part, live = true): Html {
  const id = idOf(title);
  const mark = live ? html` data-live` : undefined;
  return html`<section id="${id}"${mark} aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

/** A section whose content may fail. It then shows the problem, and the other sections stay. */
export async function sectionOf(title: string, content: () => Promise<Part>, live = true): Promise<Html> {
  const shown = await content().catch((error: Error) => html`<p class="problem">${error.message}</p>`);
  return section(title, shown, live);
}

/** Something a page is about, larger than the rest. */
export interface Figure {
  readonly value: Part;
  readonly name: Part;
  /** `quiet`: nothing is to be done about it. `up` and `down` are the colours of a chart. */
  readonly tone?: "bad" | "quiet" | "up" | "down" | undefined;
  readonly to?: string | undefined;
}

/** What a page is of, and how it is. */
export function lead(what: Part, word: string, more: Part = undefined): Html {
  return html`<p class="lead">${what} ${status(word)}</p>${more === undefined ? undefined : html`<p>${more}</p>`}`;
}

/** How many there are of something, which is quiet where there is none. */
export function figure(value: number, name: Part, { to, isBad }: { to?: string; isBad?: boolean } = {}): Figure {
  return { value, name, to, tone: value === 0 ? "quiet" : isBad === true ? "bad" : undefined };
}

export function figures(entries: readonly Figure[]): Html {
  const shown = ({ value, to }: Figure) => html`<strong>${to === undefined ? value : link(to, value)}</strong>`;
  return html`<ul class="figures">${entries.map((each) => html`<li class="${each.tone ?? ""}">${shown(each)} ${each.name}</li>`)}</ul>`;
}

const GOOD = new Set([
  "active",
  "on sale",
  "live",
  "ready",
  "succeeded",
  "confirmed",
  "verified",
  "applied",
  "returned",
]);
const BAD = new Set([
  "paused",
  "stopped",
  "exhausted",
  "failed",
  "cancelled",
  "rejected",
  "to_return",
  "suspended",
  "error",
  "fatal",
]);

/** A status as a coloured word. */
export function status(word: string): Html {
  return html`<span class="status ${GOOD.has(word) ? "good" : BAD.has(word) ? "bad" : "fair"}">${word.replaceAll("_", " ")}</span>`;
}

/** In one line, however narrow its column. */
export function whole(text: string): Html {
  return html`<span class="whole">${text}</span>`;
}

export function link(path: string, text: Part): Html {
  return html`<a href="${path}">${text}</a>`;
}

/** A path of these segments, encoded. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

const MOST_ROWS = 200;
/** Part of a request for a list that customers may make very long: a page is rendered again and again. */
export const FIRST_ROWS = `most=${MOST_ROWS}`;

/** Says that there may be more rows than those. */
export function andMore(rows: readonly unknown[]): Html | undefined {
  if (rows.length < MOST_ROWS) return undefined;
  return html`<p class="hint">The first ${MOST_ROWS}. The command line has all.</p>`;
}

/** JSON for people. */
export function json(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

/** How much of a whole, as a bar and in per cent. */
export function share(part: number, all: number): Html {
  const percent = Math.round((100 * part) / Math.max(1, all));
  return html`<span class="share"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.min(percent, 100)}" height="8"/></svg>${percent} %</span>`;
}

const WIDTH = 240;
const HEIGHT = 40;

/** A line over the last hour, oldest first, from 0. The text gives the last value and the largest. */
export function sparkline(name: string, values: readonly number[], show: (value: number) => string): Html {
  const most = Math.max(...values, 0);
  const x = (index: number) => Math.round((index * WIDTH) / Math.max(1, values.length - 1));
  const y = (value: number) => Math.round(HEIGHT - (most === 0 ? 0 : (value / most) * (HEIGHT - 2)) - 1);
  const points = values.map((value, index) => `${x(index)},${y(value)}`).join(" ");
  return html`<figure><figcaption>${name} <strong>${show(values.at(-1) ?? 0)}</strong> <small>at most ${show(most)}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><polyline points="${points}"/></svg></figure>`;
}

/** An id, small: a click copies it. */
export function id(text: string): Html {
  return html`<code class="id" title="a click copies it">${text}</code>`;
}

/** `2026-11-23 07:38:11 UTC` */
export function time(at: string | number | null | undefined): Part {
  if (at === null || at === undefined) return "–";
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} <small>UTC</small></time>`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576).toLocaleString("en")} MB`;
}

export const perSecond = (rate: number): string => `${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
