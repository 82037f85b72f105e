import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { getInterfaceOperation } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, PlainRoute, Route } from "@travel-booking/http";
import { entityTag, isNamed } from "../reading.ts";
import { makeOpenApiTexts, type OpenApiTexts } from "./openapi-texts.ts";

type Answer = (request: Pick<ApiRequest, "header">) => ApiResponse;

const GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q\s*=\s*(?:1|0?\.0*[1-9])[\d.]*\s*)?(?:,|$)/i;

/** Sends the same text, from the same bytes, as long as the service runs; 304 if the client has it. */
async function staticResponse(text: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
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

/** What `make` made first. It is made anew only after a failure: a thread may not begin for want of memory. */
function kept<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= make().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}

function plain(path: string, answer: () => Promise<Answer>): PlainRoute {
  return { method: "GET", path, handler: async (request) => (await answer())(request) };
}

/** A browser that opens the address of the service gets the page to read. */
const ROOT: PlainRoute = {
  method: "GET",
  path: "/",
  handler: () => ({ status: 302, json: null, headers: { Location: "/docs" } }),
};

/**
 * The OpenAPI document, `GET /v1/openapi.json`, and what is made from it under `/docs`. All are made at the first
 * request for one of them, because most processes get none (docs/decisions/0036-a-start-loads-what-it-uses.md).
 */
export function openApiRoutes(rateLimited: boolean) {
  const texts = kept(() => makeOpenApiTexts(rateLimited));
  const given = (name: keyof OpenApiTexts) =>
    kept(async () => {
      const { text, headers } = (await texts())[name];
      return staticResponse(text, headers);
    });
  const document = given("document");
  const getInterface: Route = {
    operation: getInterfaceOperation,
    handler: async (request: ApiRequest) => (await document())(request),
  };
  const pages = [
    ROOT,
    plain("/docs{/}", given("reference")),
    plain("/docs/changelog", given("changelog")),
    plain("/docs/openapi.yaml", given("yaml")),
    plain("/docs/postman.json", given("postman")),
  ];
  return { routes: [getInterface], pages };
}
