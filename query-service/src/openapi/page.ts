import { readFileSync } from "node:fs";
import { Html, html } from "@travel-booking/http/html";

/** The content of the `<style>` element, byte for byte, because the content security policy has its hash. */
export const STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");

/** The content of the `<script>` element, likewise. */
export const SCRIPT = readFileSync(new URL("reference.js", import.meta.url), "utf8");

/** A page of the reference without external resources. Everything on it can be read without scripts. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}
