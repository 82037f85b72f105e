import type { Page } from "@travel-booking/http";
import { internalPage, internalToken } from "./internal-page.ts";

const PATH = "/internal/log-head";
/** Real time. */
const ANSWER_WITHIN_MS = 2_000;

/** Where a service that reads the log tells those that don't how far it goes. */
export function logHeadPage(secretKey: string, head: () => Promise<bigint>): Readonly<Record<string, Page>> {
  return {
    [PATH]: internalPage(secretKey, async () => ({
      status: 200,
      json: JSON.stringify({ head: String(await head()) }),
    })),
  };
}

/** The command-service could not be asked for the position of the last event. */
export class LogHeadUnknown extends Error {
  override readonly name = "LogHeadUnknown";
}

/**
 * Asks a command-service for the position of the last event.
 * @throws LogHeadUnknown
 */
export function askForLogHead(commandServiceUrl: string, secretKey: string): () => Promise<bigint> {
  const url = new URL(PATH, commandServiceUrl);
  const headers = { authorization: `Bearer ${internalToken(secretKey)}` };
  return async () => {
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return BigInt(((await response.json()) as { readonly head: string }).head);
    } catch (cause) {
      throw new LogHeadUnknown("the command-service did not tell how far the log goes", { cause });
    }
  };
}
