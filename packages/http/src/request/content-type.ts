import type { IncomingHttpHeaders } from "node:http";

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
