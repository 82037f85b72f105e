import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { getInterfaceOperation, type OpenApiDocument } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, PlainRoute, Route } from "@travel-booking/http";
import { cachedFor } from "@travel-booking/runtime/real-time";
import { entityTag, isNamed } from "../reading.ts";

/** Host name or address, port optional (RFC 9110 §7.2). */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `http://host:port` as the client sees it; a proxy in between says whether it uses TLS. */
function baseUrlOf(request: Pick<ApiRequest, "header">): string {
  const host = request.header("host") ?? "";
  const scheme = request.header("x-forwarded-proto") === "https" ? "https" : "http";
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : "http://localhost";
}

type Answer = (request: Pick<ApiRequest, "header">) => ApiResponse;

const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*(?:1|0?\.0*[1-9])[\d.]*\s*)?(?:,|$)/i;

/** Answers the same text as long as the service runs, from the same bytes; 304 if the client has it. */
async function staticResponse(text: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const tag = entityTag(text);
  const plain = { tag, json: Buffer.from(text), encoding: {} };
  const zipped = {
    // A strong tag stands for bytes: each encoding has its own.
    tag: tag.replace(/"$/, '-gzip"'),
    json: await promisify(gzip)(text),
    encoding: { "Content-Encoding": "gzip" },
  };
  return (request) => {
    const { tag, json, encoding } = GZIP.test(request.header("accept-encoding") ?? "") ? zipped : plain;
    // Caches must revalidate: another version of the service answers another text.
    const all = { ...headers, ETag: tag, "Cache-Control": "public, no-cache", Vary: "Accept-Encoding" };
    return isNamed(tag, request.header("if-none-match"))
      ? { status: 304, json: null, headers: all }
      : { status: 200, json, headers: { ...all, ...encoding } };
  };
}

/** A service has few names; documents for invented ones are not cached. */
const MAX_CACHED_BASE_URLS = 8;

/** @param document answers the document; its absolute links are replaced. */
function getInterface(document: () => Promise<OpenApiDocument>): Route {
  const answers = new Map<string, Answer>();
  return {
    operation: getInterfaceOperation,
    async handler(request: ApiRequest) {
      const base = baseUrlOf(request);
      const known = answers.get(base);
      if (known !== undefined) return known(request);
      const made = await document();
      const externalDocs = { ...made.externalDocs, url: `${base}/docs` };
      const answer = await staticResponse(JSON.stringify({ ...made, externalDocs }));
      if (answers.size < MAX_CACHED_BASE_URLS) answers.set(base, answer);
      return answer(request);
    },
  };
}

/** @param style, script contents of the page's elements. It asks nobody but this service, and is not framed. */
function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    `script-src 'sha256-${hash("sha256", script, "base64")}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function docsPage(document: () => Promise<OpenApiDocument>): PlainRoute {
  const answer = cachedFor(Number.POSITIVE_INFINITY, async () => {
    const { referencePage, SCRIPT, STYLE } = await import("./reference-page.ts");
    return staticResponse(referencePage(await document()), {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(STYLE, SCRIPT),
      "Referrer-Policy": "no-referrer",
    });
  });
  return { method: "GET", path: "/docs{/}", handler: async (request) => (await answer())(request) };
}

/** Who opens the address of the service in a browser gets to read. */
const ROOT: PlainRoute = {
  method: "GET",
  path: "/",
  handler: () => ({ status: 302, json: null, headers: { Location: "/docs" } }),
};

/**
 * The OpenAPI document, `GET /v1/openapi.json`, and the page made from it, `GET /docs`. Both are made for the first request
 * that asks for them, since most processes are never asked (docs/decisions/0036-a-start-loads-what-it-uses.md).
 */
export function openApiRoutes(rateLimited: boolean) {
  const document = cachedFor(Number.POSITIVE_INFINITY, async () => {
    const { openApiDocument } = await import("@travel-booking/api-contract/openapi");
    return openApiDocument({ rateLimited, baseUrl: "http://localhost" });
  });
  return { routes: [getInterface(document)], pages: [ROOT, docsPage(document)] };
}
