import type { PlainRoute } from "@travel-booking/http";
import { internalHandler, internalToken } from "./internal-handler.ts";

const PATH = "/internal/log-head";
/** Real time. */
const TIMEOUT_MS = 2_000;

/** Where a service that reads the log tells those that don't how far it goes. */
export function logHeadRoute(secretKey: string, head: () => Promise<bigint>): PlainRoute {
  const handler = internalHandler(secretKey, async () => ({
    status: 200,
    json: JSON.stringify({ head: String(await head()) }),
  }));
  return { method: "GET", path: PATH, handler };
}

/** The command-service could not be asked for the position of the last event. */
export class LogHeadUnavailable extends Error {
  override readonly name = "LogHeadUnknown";
}

/**
 * Asks a command-service for the position of the last event.
 * @throws LogHeadUnknown
 */
export function logHeadClient(commandServiceUrl: string, secretKey: string): () => Promise<bigint> {
  const url = new URL(PATH, commandServiceUrl);
  const headers = { authorization: `Bearer ${internalToken(secretKey)}` };
  return async () => {
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return BigInt(((await response.json()) as { readonly head: string }).head);
    } catch (cause) {
      throw new LogHeadUnavailable("the command-service did not tell how far the log goes", { cause });
    }
  };
}
