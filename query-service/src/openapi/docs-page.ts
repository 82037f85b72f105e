import { hash } from "node:crypto";
import type { OpenApiDocument } from "@travel-booking/api-contract";
import type { PlainRoute } from "@travel-booking/http";
import { referencePage, STYLE } from "./page/reference-page.ts";
import { staticResponse } from "./static-response.ts";

/** Nothing runs, nothing is fetched, nothing frames the page; its own style is known by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `GET /docs`: the interface description, for people. */
export function docsPage(document: OpenApiDocument): PlainRoute {
  const handler = staticResponse(referencePage(document), {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  return { method: "GET", path: "/docs", handler };
}
