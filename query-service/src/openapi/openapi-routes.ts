import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { getInterfaceOperation, type OpenApiDocument } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, PlainRoute, Route } from "@travel-booking/http";
import { cachedFor } from "@travel-booking/runtime/real-time";
import { entityTag, isNamed } from "../reading.ts";

type Answer = (request: Pick<ApiRequest, "header">) => ApiResponse;

const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*(?:1|0?\.0*[1-9])[\d.]*\s*)?(?:,|$)/i;

/** Sends the same text, from the same bytes, as long as the service runs; 304 if the client has it. */
async function staticResponse(text: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const tag = entityTag(text);
  const plain = { tag, json: Buffer.from(text), encoding: {} };
  const zipped = {
    // A strong tag stands for bytes, so each encoding has its own tag.
    tag: tag.replace(/"$/, '-gzip"'),
    json: await promisify(gzip)(text),
    encoding: { "Content-Encoding": "gzip" },
  };
  return (request) => {
    const { tag, json, encoding } = GZIP.test(request.header("accept-encoding") ?? "") ? zipped : plain;
    // Caches must revalidate, because another version of the service sends another text.
    const all = { ...headers, ETag: tag, "Cache-Control": "public, no-cache", Vary: "Accept-Encoding" };
    return isNamed(tag, request.header("if-none-match"))
      ? { status: 304, json: null, headers: all }
      : { status: 200, json, headers: { ...all, ...encoding } };
  };
}

function getInterface(document: () => Promise<OpenApiDocument>): Route {
  const answer = cachedFor(Number.POSITIVE_INFINITY, async () => staticResponse(JSON.stringify(await document())));
  return { operation: getInterfaceOperation, handler: async (request: ApiRequest) => (await answer())(request) };
}

/** @param style, script contents of the elements. The page sends requests only to this service, and is not framed. */
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

/** A page or a file that is made of the document at the first request for it, and sent as it is from then on. */
function made(
  path: string,
  make: () => Promise<{ readonly text: string; readonly headers: Record<string, string> }>,
): PlainRoute {
  const answer = cachedFor(Number.POSITIVE_INFINITY, async () => {
    const { text, headers } = await make();
    return staticResponse(text, headers);
  });
  return { method: "GET", path, handler: async (request) => (await answer())(request) };
}

async function asPage(text: string) {
  const { SCRIPT, STYLE } = await import("./page.ts");
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy(STYLE, SCRIPT),
    "Referrer-Policy": "no-referrer",
  };
  return { text, headers };
}

function asFile(text: string, type: string, name: string) {
  return { text, headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` } };
}

/** The reference, and what stands beside it. */
function pagesOf(document: () => Promise<OpenApiDocument>): readonly PlainRoute[] {
  return [
    made("/docs{/}", async () => {
      const { referencePage } = await import("./reference-page.ts");
      return asPage(referencePage(await document()));
    }),
    made("/docs/changelog", async () => asPage((await import("./changelog-page.ts")).changelogPage())),
    made("/docs/openapi.yaml", async () => {
      const { yaml } = await import("./yaml.ts");
      return asFile(yaml(await document()), "application/yaml; charset=utf-8", "openapi.yaml");
    }),
    made("/docs/postman.json", async () => {
      const { postmanCollection } = await import("./postman.ts");
      const text = JSON.stringify(postmanCollection(await document()), null, 2);
      return asFile(text, "application/json; charset=utf-8", "travel-booking.postman_collection.json");
    }),
  ];
}

/** A browser that opens the address of the service gets the page to read. */
const ROOT: PlainRoute = {
  method: "GET",
  path: "/",
  handler: () => ({ status: 302, json: null, headers: { Location: "/docs" } }),
};

/**
 * The OpenAPI document, `GET /v1/openapi.json`, and what is made from it under `/docs`. All are made at the first
 * request for them, because most processes get none (docs/decisions/0036-a-start-loads-what-it-uses.md).
 */
export function openApiRoutes(rateLimited: boolean) {
  const document = cachedFor(Number.POSITIVE_INFINITY, async () => {
    const { openApiDocument } = await import("@travel-booking/api-contract/openapi");
    return openApiDocument({ rateLimited });
  });
  return { routes: [getInterface(document)], pages: [ROOT, ...pagesOf(document)] };
}
