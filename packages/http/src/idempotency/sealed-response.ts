import type { TextSealer } from "@travel-booking/runtime";
import type { ApiResponse } from "../route.ts";

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
