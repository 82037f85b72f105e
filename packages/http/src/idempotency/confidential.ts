import type { SealedTexts } from "@travel-booking/runtime";
import type { ApiResponse } from "../route.ts";

type Run<Given> = (given: Given) => ApiResponse | Promise<ApiResponse>;

/**
 * Runs a request whose answer holds a secret in such a way that `keep`, which stores the answer, is only given a sealed
 * one. Errors hold no secrets and stay as they are.
 */
export async function runConfidentially<Given>(
  sealed: SealedTexts,
  place: string,
  keep: (run: Run<Given>) => Promise<ApiResponse>,
  run: Run<Given>,
): Promise<ApiResponse> {
  const kept = await keep(async (given) => withText(await run(given), (text) => sealed.seal(text, place)));
  return withText(kept, (text) => sealed.unseal(text, place));
}

function withText(response: ApiResponse, change: (text: string) => string): ApiResponse {
  const { status, json } = response;
  if (status >= 300 || json === null) return response;
  return { ...response, json: change(typeof json === "string" ? json : Buffer.from(json).toString("utf8")) };
}
