import type { Token } from "./generated.ts";

/** A token is renewed so long before it expires, in milliseconds; halfway for tokens of less than two minutes. */
const MARGIN_MS = 60_000;

type Fetched = Pick<Token, "access_token" | "expires_in">;

/** Gives each request its credential. */
export interface Credentials {
  headers(signal: AbortSignal): Promise<Record<string, string>>;
  /** The service did not accept these headers. Whether it is worth asking for others. */
  refused(headers: Record<string, string>): boolean;
}

export function apiKeyCredentials(apiKey: string): Credentials {
  return { headers: async () => ({ "x-api-key": apiKey }), refused: () => false };
}

/** A token is fetched when one is needed, once for all who need it at the time. */
export class AccessTokens implements Credentials {
  readonly #fetchToken: () => Promise<Fetched>;
  #token: { readonly value: string; readonly renewAt: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(fetchToken: () => Promise<Fetched>) {
    this.#fetchToken = fetchToken;
  }

  /** @param signal ends this caller's waiting; others still get the token. */
  async headers(signal: AbortSignal): Promise<Record<string, string>> {
    const token = this.#token;
    const value = token !== undefined && Date.now() < token.renewAt ? token.value : await this.#renewed(signal);
    return { authorization: `Bearer ${value}` };
  }

  refused({ authorization }: Record<string, string>): boolean {
    // Whoever comes late must not throw away the token that another request has fetched since.
    if (authorization === `Bearer ${this.#token?.value}`) this.#token = undefined;
    return true;
  }

  #renewed(signal: AbortSignal): Promise<string> {
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return Promise.race([this.#pending, rejectedBy(signal)]);
  }

  async #renew(): Promise<string> {
    const askedAt = Date.now();
    const { access_token: value, expires_in } = await this.#fetchToken();
    const lifetime = expires_in * 1000;
    this.#token = { value, renewAt: askedAt + Math.max(lifetime - MARGIN_MS, lifetime / 2) };
    return value;
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
