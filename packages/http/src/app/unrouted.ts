import { errorResponse } from "../errors/error-response.ts";
import type { ApiResponse } from "../route.ts";
import { admit } from "./admission.ts";
import type { AppOptions } from "./app-options.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { methodsFor } from "./path-template.ts";

/** What is no operation and can only be read, whichever service has it. */
const AUXILIARY_PATHS = ["/docs", "/health/live", "/health/ready", "/metrics"];
const UNKNOWN_PATH = errorResponse(404, "There is nothing at this path.");
const MALFORMED_PATH = errorResponse(400, ["the path is not valid percent-encoded UTF-8"]);

/** Answers a request no route has taken: a malformed path, a method the path does not have, an unknown path. */
export async function respondUnrouted(
  exchange: HttpExchange,
  options: AppOptions,
  problem: "malformed" | "unmatched",
): Promise<ApiResponse> {
  // Whoever sends a credential has it checked and counted here too; nobody needs one to be told that there is nothing.
  const { headers } = exchange.request;
  if (headers["x-api-key"] !== undefined || headers.authorization !== undefined) {
    const refused = await admit(exchange, options);
    if (refused !== undefined) return refused;
  }
  if (problem === "malformed") return MALFORMED_PATH;
  const path = (exchange.request.url ?? "").split("?", 1)[0] as string;
  const methods = AUXILIARY_PATHS.includes(path) ? ["GET", "HEAD"] : methodsFor(path, options.allOperations);
  const method = exchange.request.method ?? "";
  if (methods.length === 0 || methods.includes(method)) return UNKNOWN_PATH;
  return errorResponse(405, `${method} is not possible here.`, { Allow: methods.join(", ") });
}
