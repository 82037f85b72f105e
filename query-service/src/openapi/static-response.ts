import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { entityTag, isNamed } from "../flights/entity-tag.ts";

/** Answers with one text for as long as the service runs; 304 for a client that has it. */
export function staticResponse(
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
