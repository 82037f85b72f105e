import type { BoardingPassBody, BoardingPassesBody } from "@travel-booking/api-contract";
import { boardingItemsOf, bookingCodeOf } from "@travel-booking/domain/boarding-pass";
import { aztecSvg, pdf417Svg } from "./barcodes.ts";
import { fontsFor } from "./fonts.ts";
import { STYLES } from "./page-style.ts";

/** A6 portrait, in millimetres: four fit on a sheet of A4, and a phone shows its full width. */
export const PAPER = { width: 105, height: 148 };
/** The same width, in CSS pixels. */
export const PHONE_WIDTH = 397;

/** Scanners read PDF417 best from paper, and Aztec best from a screen. */
type Medium = "paper" | "phone";

const CABINS: Readonly<Record<BoardingPassBody["cabin"], string>> = {
  economy: "Economy",
  premium_economy: "Premium Economy",
  business: "Business",
  first: "First",
};
const DOCUMENTS: Readonly<Record<BoardingPassBody["documentCheck"], string>> = {
  ok: "Passport verified",
  pending: "Passport under review: have it at hand",
  missing: "No verified passport yet: bring it to the desk",
};

const ARROW = `<svg viewBox="0 0 24 12" aria-hidden="true"><path d="M0 6H22M17 1L22 6L17 11" fill="none" stroke="#3f3bd1" stroke-width="1.6"/></svg>`;

/** One HTML document with the passes below each other; on paper one per page. It needs no external resources. */
export function renderPassesHtml(passes: BoardingPassesBody, medium: Medium): string {
  const body = passes.passes.map((pass) => card(passes, pass, medium)).join("\n");
  const { rules, families } = fontsFor(body);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Boarding pass ${escapeHtml(bookingCodeOf(passes.bookingId))}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<style>${rules}${STYLES}body{font-family:${families}}</style></head>
<body class="${medium}">${body}</body></html>`;
}

function card({ bookingId, reference }: BoardingPassesBody, pass: BoardingPassBody, medium: Medium): string {
  const { passengerName, destination, memberNumber, barcode } = pass;
  const booking = `${bookingCodeOf(bookingId)}${reference === null ? "" : ` · ${reference}`}`;
  return `<section class="pass">
<header><b>Boarding pass</b><span>${CABINS[pass.cabin]}</span></header>
<div class="who"><span class="label">Passenger</span><div class="name ${sizeClass(passengerName, [22, 52, 110])}" dir="auto">${escapeHtml(passengerName)}</div>
<div class="written">${escapeHtml(boardingItemsOf(barcode.message).name)}</div></div>
<div class="way"><div><span class="label">From</span><strong class="from">${escapeHtml(pass.from)}</strong></div>${ARROW}
<div><span class="label">To</span><strong class="to ${sizeClass(destination.name, [15, 40])}" dir="auto">${escapeHtml(destination.name)}</strong></div></div>
<div class="facts times">${time("Boarding", pass.boardingAt)}${time("Departure", pass.departsAt)}</div>
<div class="facts">${fact("Flight", pass.flightId, [9, 15])}${fact("Seat", pass.seat)}${fact("Group", pass.boardingGroup)}${fact("Sequence", String(pass.sequence))}</div>
<div class="code">${medium === "paper" ? pdf417Svg(barcode.message) : aztecSvg(barcode.message)}</div>
<footer><p><span class="label">Booking</span><span class="mono">${escapeHtml(booking)}</span></p>
${memberNumber === null ? "" : `<p><span class="label">Member number</span><span class="mono member">${escapeHtml(memberNumber)}</span></p>`}
<p class="check ${pass.documentCheck}">${DOCUMENTS[pass.documentCheck]}</p></footer></section>`;
}

function time(label: string, moment: string): string {
  const { date, time } = formatDateTime(moment);
  return `<div class="fact"><span class="label">${label}</span><strong>${time} UTC</strong><small>${date}</small></div>`;
}

function fact(label: string, value: string, limits: readonly number[] = []): string {
  return `<div class="fact"><span class="label">${label}</span><strong class="${sizeClass(value, limits)}">${escapeHtml(value)}</strong></div>`;
}

// Han, kana, hangul and full-width forms are about twice as wide as a letter.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]/u;

/** Width in average letters. */
function textWidth(text: string): number {
  let letters = 0;
  for (const character of text) letters += WIDE.test(character) ? 2 : 1;
  return letters;
}

/** The CSS class of the first limit that the text does not exceed, else the class of the last size. */
function sizeClass(text: string, limits: readonly number[]): string {
  const letters = textWidth(text);
  const size = limits.findIndex((limit) => letters <= limit);
  return `size-${size < 0 ? limits.length : size}`;
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const TIME = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** In UTC, which every spaceport uses. */
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
// Control characters, line separators, and marks that would reverse the text after them.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Escapes untrusted text for the content or a quoted attribute of an element. */
function escapeHtml(text: string): string {
  return text.replace(INVISIBLE, " ").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
