import { hash } from "node:crypto";

/** JSON with the keys of every object in one order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(",")}}`;
}

/** Tells requests apart that were sent with one key: the same method, path and body give the same fingerprint. */
export function fingerprintOf(method: string, path: string, body: unknown): string {
  return hash("sha256", `${method}\n${path}\n${canonicalJson(body)}`, "base64url");
}
