import { hash } from "node:crypto";
import { getInterfaceOperation, type OpenApiDocument, openApiDocument } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, PlainRoute, Route } from "@travel-booking/http";
import { entityTag, isNamed } from "../reading.ts";
import { referencePage, STYLE } from "./reference-page.ts";

/** A name or an address, with a port or without (RFC 9110 §7.2). */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Where the client has asked, as `http://host:port`; a proxy on the way says whether it was by TLS. */
function baseUrlOf(request: Pick<ApiRequest, "header">): string {
  const host = request.header("host") ?? "";
  const scheme = request.header("x-forwarded-proto") === "https" ? "https" : "http";
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : "http://localhost";
}

/** Answers with one text for as long as the service runs; 304 for a client that has it. */
function staticResponse(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): (request: Pick<ApiRequest, "header">) => ApiResponse {
  const bytes = Buffer.from(text);
  const tag = entityTag(text);
  // May be kept, and is asked for again: another version of the service has another.
  const all = { ...headers, ETag: tag, "Cache-Control": "public, no-cache" };
  return (request) =>
    isNamed(tag, request.header("if-none-match"))
      ? { status: 304, json: null, headers: all }
      : { status: 200, json: bytes, headers: all };
}

/** A service is known by few names; whoever makes further ones up is answered without being remembered. */
const MAX_CACHED_BASE_URLS = 8;

/**
 * The interface description, for programs. A link out of it has to be absolute, so there is one for each address the
 * service is asked under.
 * @param documentAt makes the document as it is served under a base address.
 */
export function getInterface(documentAt: (baseUrl: string) => OpenApiDocument): Route {
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

/** The interface description in both its forms, made once. @param limited whether requests are counted. */
export function openApiRoutes(limited: boolean): OpenApiRoutes {
  const document = openApiDocument({ rateLimited: limited, baseUrl: "http://localhost" });
  const documentAt = (baseUrl: string) => ({
    ...document,
    externalDocs: { ...document.externalDocs, url: `${baseUrl}/docs` },
  });
  return { routes: [getInterface(documentAt)], pages: [docsPage(document)] };
}
