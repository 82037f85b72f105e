import { isUtf8 } from "node:buffer";
import { unsafeContent } from "./unsafe-content.ts";

export type ParsedJson = { readonly value: unknown } | { readonly problems: readonly string[] };

/** Reads a JSON body. Never throws. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { problems: ["body is not valid UTF-8"] };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { problems: ["body is not valid JSON"] };
  }
  const problems = unsafeContent(value);
  return problems.length === 0 ? { value } : { problems };
}
