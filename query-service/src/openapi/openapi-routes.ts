import { hash } from "node:crypto";
import { getInterfaceOperation, type OpenApiDocument, openApiDocument } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, PlainRoute, Route } from "@travel-booking/http";
import { entityTag, isNamed } from "../reading.ts";
import { referencePage, STYLE } from "./reference-page.ts";

/** Host name or address, port optional (RFC 9110 §7.2). */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `http://host:port` as the client sees it; a proxy in between says whether it uses TLS. */
function baseUrlOf(request: Pick<ApiRequest, "header">): string {
  const host = request.header("host") ?? "";
  const scheme = request.header("x-forwarded-proto") === "https" ? "https" : "http";
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : "http://localhost";
}

/** Answers the same text as long as the service runs; 304 if the client has it. */
function staticResponse(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): (request: Pick<ApiRequest, "header">) => ApiResponse {
  const bytes = Buffer.from(text);
  const tag = entityTag(text);
  // Caches must revalidate: another version of the service answers another text.
  const all = { ...headers, ETag: tag, "Cache-Control": "public, no-cache" };
  return (request) =>
    isNamed(tag, request.header("if-none-match"))
      ? { status: 304, json: null, headers: all }
      : { status: 200, json: bytes, headers: all };
}

/** A service has few names; documents for invented ones are not cached. */
const MAX_CACHED_BASE_URLS = 8;

/** @param documentAt makes the document with absolute links under a base URL. */
function getInterface(documentAt: (baseUrl: string) => OpenApiDocument): Route {
  const answers = new Map<string, (request: ApiRequest) => ApiResponse>();
  return {
    operation: getInterfaceOperation,
    handler(request: ApiRequest) {
      const base = baseUrlOf(request);
      const known = answers.get(base);
      if (known !== undefined) return known(request);
      const answer = staticResponse(JSON.stringify(documentAt(base)));
      if (answers.size < MAX_CACHED_BASE_URLS) answers.set(base, answer);
      return answer(request);
    },
  };
}

/** The page runs nothing, fetches nothing and is not framed. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function docsPage(document: OpenApiDocument): PlainRoute {
  const handler = staticResponse(referencePage(document), {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  return { method: "GET", path: "/docs", handler };
}

export interface OpenApiRoutes {
  readonly routes: readonly Route[];
  readonly pages: readonly PlainRoute[];
}

/** The OpenAPI document, `GET /v1/openapi.json`, and the page made from it, `GET /docs`. */
export function openApiRoutes(rateLimited: boolean): OpenApiRoutes {
  const document = openApiDocument({ rateLimited, baseUrl: "http://localhost" });
  const documentAt = (baseUrl: string) => ({
    ...document,
    externalDocs: { ...document.externalDocs, url: `${baseUrl}/docs` },
  });
  return { routes: [getInterface(documentAt)], pages: [docsPage(document)] };
}
