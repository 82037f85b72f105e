import { hash } from "node:crypto";
import type { TextSealer } from "@travel-booking/runtime";
import type { ApiResponse } from "../route.ts";

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

type Run<Given> = (given: Given) => ApiResponse | Promise<ApiResponse>;

/**
 * Runs a request whose answer holds a secret in such a way that `keep`, which stores the answer, is only given a sealed
 * one. Errors hold no secrets and stay as they are.
 */
export async function runWithSealedResponse<Given>(
  sealed: TextSealer,
  place: string,
  keep: (run: Run<Given>) => Promise<ApiResponse>,
  run: Run<Given>,
): Promise<ApiResponse> {
  const kept = await keep(async (given) => mapResponseText(await run(given), (text) => sealed.seal(text, place)));
  return mapResponseText(kept, (text) => sealed.unseal(text, place));
}

function mapResponseText(response: ApiResponse, change: (text: string) => string): ApiResponse {
  const { status, json } = response;
  if (status >= 300 || json === null) return response;
  return { ...response, json: change(typeof json === "string" ? json : Buffer.from(json).toString("utf8")) };
}
