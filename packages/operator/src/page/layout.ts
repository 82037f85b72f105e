import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Html, html, type Part } from "@travel-booking/http/html";
import type { Visit } from "./screen.ts";

const asset = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
const STYLE = asset("style.css");
const SCRIPT = asset("page.js");
const sha256 = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

/** Only the style and script of these pages apply. Nothing comes from elsewhere, and no other page frames them. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${sha256(STYLE)}`,
  `script-src ${sha256(SCRIPT)}`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** In the order of the keys 1 to 9, and 0. */
const PLACES = [
  ["/", "Overview"],
  ["/webhooks", "Webhooks"],
  ["/projections", "Projections"],
  ["/money", "Money"],
  ["/documents", "Documents"],
  ["/accounts", "Accounts"],
  ["/streams", "Streams"],
  ["/system", "System"],
  ["/flights", "Flights"],
  ["/reports", "Reports"],
] as const;

interface PageOptions {
  readonly title: string;
  /** What the page is of, which tells its tab from others. */
  readonly of?: string | undefined;
  readonly content: Html;
  /** The result of the last action. */
  readonly notice?: string | undefined;
  /** Absent before signing in. */
  readonly operator?: Pick<Visit, "name" | "formToken" | "load" | "readOnly" | "url">;
}

/** The beginnings of ids are times, and look alike. */
const LONG = 12;

/** A whole page. */
export function page({ title, of, content, notice, operator }: PageOptions): Html {
  const tab = of === undefined ? title : `${title} ${of.length > LONG ? `…${of.slice(-LONG)}` : of}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${tab} · Travel Booking Service</title><link rel="icon" href="data:,"><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#main">Skip to the content</a>${operator === undefined ? undefined : header(operator)}
<main id="main" tabindex="-1"${operator === undefined ? undefined : html` data-load="${operator.load}" data-of="${operator.url}"`}>${operator?.readOnly === true ? html`<p class="problem">Read-only: this is a service to be looked at. Nothing that is stored changes.</p>` : undefined}<h1>${title}</h1>${notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`}${content}</main>
<script>${new Html(SCRIPT)}</script></body></html>`;
}

function header({ name, url, formToken }: NonNullable<PageOptions["operator"]>): Html {
  const { pathname } = new URL(url, "http://localhost");
  const at = pathname.replace(/^\/deliveries\//, "/webhooks/").replace(/^\/disruptions\//, "/flights/");
  const isHere = (place: string) => (place === "/" ? at === "/" : at.startsWith(place));
  const place = ([to, title]: (typeof PLACES)[number], index: number): Part =>
    html`<li><a href="${to}" data-key="${(index + 1) % 10}" title="key ${(index + 1) % 10}"${isHere(to) ? html` aria-current="page"` : undefined}>${title}</a></li>`;
  return html`<header><p class="brand">Travel Booking Service</p>
<form class="find" role="search" action="/find"><label><span class="away">Find what has a word, or go to what an id or the name of a stream stands for</span><input name="word" type="search" data-key="/" placeholder="find  ( / )" autocomplete="off" required></label></form>
<form class="who" method="post" action="/sign-out"><input type="hidden" name="formToken" value="${formToken}"><span>${name}</span> <button>Sign out</button></form>
<nav aria-label="Screens"><ul>${PLACES.map(place)}</ul></nav></header>`;
}
