import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { API_VERSIONS } from "@travel-booking/api-contract";
import { errorResponse } from "../error-response.ts";
import type { ApiRequest } from "../route.ts";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The id the client sent as `X-Request-Id`, where it is fit to be repeated in headers and logs; else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === "string" && WELL_FORMED.test(sent) ? sent : randomUUID();
}

const MEDIA_TYPE = /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)"?/i;

/** What is wrong with how a body is labelled, where it should be `expected` in UTF-8; undefined where nothing is. */
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
export const UNSUPPORTED_VERSION = errorResponse(400, [UNSUPPORTED_VERSION_PROBLEM]);

/** A version of the API, if that is what it names. */
export function supportedVersion(named: string | readonly string[] | undefined): string | undefined {
  return API_VERSIONS.find((version) => version === named);
}

/** Whether a request asks for a version of the API there is not. */
export function requestsUnsupportedVersion(request: Pick<ApiRequest, "header">): boolean {
  const asked = request.header("service-version");
  return asked !== undefined && supportedVersion(asked) === undefined;
}
