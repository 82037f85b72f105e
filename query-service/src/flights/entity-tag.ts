import { hash } from "node:crypto";

/** A strong entity tag: the same text, the same tag (RFC 9110 §8.8.3). */
export function entityTag(text: string): string {
  return `"${hash("sha256", text, "base64url")}"`;
}

/** Whether `If-None-Match` names this tag; compared weakly (RFC 9110 §13.1.2). */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((named) => named.trim().replace(/^W\//, "") === tag);
}
