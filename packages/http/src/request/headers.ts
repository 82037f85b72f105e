import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { API_VERSIONS, REQUEST_ID } from "@travel-booking/api-contract";
import { errorResponse } from "../error-response.ts";
import type { ApiRequest } from "../route.ts";

/** The `X-Request-Id` of the client if it is safe to repeat in headers and logs; else a new id. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === "string" && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Headers that a request may have only once. Node joins some that come twice; of others it hides the second. */
const SINGLE: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "idempotency-key",
  "service-version",
  "x-api-key",
  "x-request-id",
]);
const NONE: readonly string[] = [];

/** Headers that were sent more than once although a request may have only one of each; in lower case. */
export function repeatedHeaders(rawHeaders: readonly string[], single = SINGLE): readonly string[] {
  let seen: Set<string> | undefined;
  let repeated = NONE;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    if (!single.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) repeated = [...repeated, name];
    seen.add(name);
  }
  return repeated;
}

const MEDIA_TYPE = /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)"?/i;

/** The problem with the content headers of a body that must be `expected` in UTF-8; undefined if there is none. */
export function contentTypeProblem(headers: IncomingHttpHeaders, expected: string): string | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    return "Content-Encoding is not supported: send the body uncompressed";
  }
  const type = headers["content-type"];
  if (type === expected) return undefined;
  if (type === undefined || MEDIA_TYPE.exec(type)?.[1]?.toLowerCase() !== expected) {
    return `Content-Type must be ${expected}`;
  }
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  return charset === undefined || charset === "utf-8" || charset === "utf8" ? undefined : "charset must be utf-8";
}

export const UNSUPPORTED_VERSION_PROBLEM = `Service-Version must be one of ${API_VERSIONS.join(", ")}`;
export const UNSUPPORTED_VERSION = errorResponse(400, "unsupported_version", [UNSUPPORTED_VERSION_PROBLEM]);

/** The API version with this name, if there is one. */
export function supportedVersion(name: string | readonly string[] | undefined): string | undefined {
  return API_VERSIONS.find((version) => version === name);
}

export function requestsUnsupportedVersion(request: Pick<ApiRequest, "header">): boolean {
  const requested = request.header("service-version");
  return requested !== undefined && supportedVersion(requested) === undefined;
}
