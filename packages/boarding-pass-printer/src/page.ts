import type { BoardingPassBody, BoardingPassesBody } from "@travel-booking/api-contract";
import { bookingCodeOf, passengerNameOf } from "@travel-booking/domain";
import { pdf417Svg } from "./barcodes.ts";
import { fontRules, STYLES } from "./page-style.ts";

const CABINS: Readonly<Record<BoardingPassBody["cabin"], string>> = {
  economy: "Economy",
  premium_economy: "Premium Economy",
  business: "Business",
  first: "First",
};
const DOCUMENTS: Readonly<Record<BoardingPassBody["documentCheck"], string>> = {
  ok: "Passport verified",
  pending: "Passport under review: have it at hand",
  missing: "No verified passport yet: bring it to the desk before boarding",
};
const MAX_PRINTED_NAME_LENGTH = 60;

const FLIGHT_PATH_SVG = `<svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
<path d="M1 24 Q50 -6 99 24" fill="none" stroke="#3f3bd1" stroke-width="1.6" stroke-dasharray="3 3" vector-effect="non-scaling-stroke"/></svg>
<svg viewBox="-15 -15 30 30" style="position:absolute;inset:0;margin:auto;width:4.6mm;height:4.6mm;top:-3.4mm" aria-hidden="true">
<path d="M0 -13 L3.2 -3.2 L13 0 L3.2 3.2 L0 13 L-3.2 3.2 L-13 0 L-3.2 -3.2 Z" fill="#3f3bd1"/></svg>`;

/** One HTML document with a page per pass. It needs no external resources. */
export function renderPassesHtml(passes: BoardingPassesBody): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Boarding pass ${escapeHtml(bookingCodeOf(passes.bookingId))}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<style>${fontRules()}${STYLES}</style></head>
<body>${passes.passes.map((pass) => page(passes, pass)).join("\n")}</body></html>`;
}

function page({ bookingId, reference }: BoardingPassesBody, pass: BoardingPassBody): string {
  const code = bookingCodeOf(bookingId);
  const boards = formatDateTime(pass.boardingAt);
  const departs = formatDateTime(pass.departsAt);
  const cabin = CABINS[pass.cabin];
  const { name: destination } = pass.destination;
  const name = escapeHtml(pass.passengerName);
  const nameSize = sizeClass(pass.passengerName, [26, 34, 60, 100]);
  return `<section class="pass"><div class="card"><div class="main">
<header class="band"><b>Boarding pass</b><span>${cabin} · ${escapeHtml(pass.flightId)}</span></header>
<div class="who"><span class="label">Passenger</span><div class="name ${nameSize}">${name}</div>
<div class="written">${escapeHtml(passengerNameOf(pass.passengerName, MAX_PRINTED_NAME_LENGTH))}</div></div>
<div class="way"><div class="port from"><span class="label">From</span><div><strong>${escapeHtml(pass.from)}</strong></div></div>
<div class="course">${FLIGHT_PATH_SVG}</div>
<div class="port to"><span class="label">To</span><div><strong class="${sizeClass(destination, [15, 22, 60])}">${escapeHtml(destination)}</strong></div></div></div>
<div class="facts">
<div class="fact first"><span class="label">Boarding</span><strong>${boards.time} UTC</strong><small>${boards.date}</small></div>
<div class="fact"><span class="label">Departure</span><strong>${departs.time}</strong><small>${departs.date}</small></div>
${fact("Group", pass.boardingGroup)}
${fact("Seat", pass.seat)}
${fact("Sequence", String(pass.sequence))}
</div>
<div class="foot"><div class="code">${pdf417Svg(pass.barcode.message)}</div><div class="notes">
<p><span class="label">Booking</span><span class="mono">${code}${reference === null ? "" : ` · ${escapeHtml(reference)}`}</span></p>
${pass.memberNumber === null ? "" : `<p><span class="label">Member number</span><span class="mono">${escapeHtml(pass.memberNumber)}</span></p>`}
<p class="check ${pass.documentCheck}">${DOCUMENTS[pass.documentCheck]}</p>
</div></div>
</div>${stub(pass, code, nameSize)}</div></section>`;
}

function fact(label: string, value: string): string {
  return `<div class="fact"><span class="label">${label}</span><strong>${escapeHtml(value)}</strong><small></small></div>`;
}

/** The part the traveller keeps when the rest is torn off. */
function stub(pass: BoardingPassBody, code: string, nameSize: string): string {
  const { date, time } = formatDateTime(pass.departsAt);
  return `<aside class="stub"><div class="band"><b>${escapeHtml(pass.from)}</b><span>${code}</span></div><div class="body">
<div><span class="label">Passenger</span><div class="name ${nameSize}">${escapeHtml(pass.passengerName)}</div></div>
<div><span class="label">Flight</span><div class="line">${escapeHtml(pass.flightId)}</div></div>
<div><span class="label">To</span><div class="line">${escapeHtml(pass.destination.name)}</div></div>
<div><span class="label">Departure</span><div class="line">${date}, ${time} UTC</div></div>
<div class="pair"><div><span class="label">Group</span><strong>${pass.boardingGroup}</strong></div><div><span class="label">Sequence</span><strong>${pass.sequence}</strong></div></div>
<div class="seat"><span><span class="label">Seat</span><span>${CABINS[pass.cabin]}</span></span><strong class="${sizeClass(pass.seat, [3])}">${escapeHtml(pass.seat)}</strong></div>
</div></aside>`;
}

// Han, kana, hangul and full-width forms are about twice as wide as a letter.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]/u;

/** In letters of usual width. */
function textWidth(text: string): number {
  let letters = 0;
  for (const character of text) letters += WIDE.test(character) ? 2 : 1;
  return letters;
}

/** The CSS class of the first limit the text does not exceed, else of the last size. */
function sizeClass(text: string, limits: readonly number[]): string {
  const letters = textWidth(text);
  const size = limits.findIndex((limit) => letters <= limit);
  return `size-${size < 0 ? limits.length : size}`;
}

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** In UTC: every spaceport uses it. */
function formatDateTime(moment: string): { readonly date: string; readonly time: string } {
  const at = new Date(moment);
  return { date: DATE.format(at), time: TIME.format(at) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// Control characters, line separators, and marks that would reverse the text behind them.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Untrusted text as the content or a quoted attribute of an element. */
function escapeHtml(text: string): string {
  return text.replace(INVISIBLE, " ").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
