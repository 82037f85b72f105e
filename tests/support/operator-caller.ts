import { retryDuringElections } from "./retry-while-stale.ts";

export interface IssuedKey {
  readonly accountId: string;
  readonly apiKey: string;
  readonly credentialId: string;
}

export interface OperatorClientResponse {
  readonly status: number;
  readonly body: never;
}

/** Calls an operator interface, wherever it is. */
export class OperatorCaller {
  readonly #url: () => string;
  readonly #token: () => string;

  constructor(url: () => string, token: () => string) {
    this.#url = url;
    this.#token = token;
  }

  /** A call of the operator interface; answers the parsed body: a list where it comes in lines, be it one. */
  call(method: string, path: string, body?: unknown): Promise<OperatorClientResponse> {
    return retryDuringElections(() => this.#ask(method, path, body));
  }

  async #ask(method: string, path: string, body: unknown): Promise<OperatorClientResponse> {
    const response = await fetch(`${this.#url()}/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token()}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const inLines = response.headers.get("content-type") === "application/x-ndjson";
    const json = inLines ? `[${text.trimEnd().replaceAll("\n", ",")}]` : text;
    return { status: response.status, body: (json === "" ? undefined : JSON.parse(json)) as never };
  }

  /** A new account with one API key of all scopes, or of those named. */
  async newApiKey(scopes?: readonly string[]): Promise<IssuedKey> {
    const account = await this.call("POST", "/accounts", { name: "Test" });
    const accountId = (account.body as { id: string }).id;
    const credential = await this.call("POST", "/credentials", {
      accountId,
      kind: "api-key",
      ...(scopes && { scopes }),
    });
    const { apiKey, id } = credential.body as { apiKey: string; id: string };
    return { accountId, apiKey, credentialId: id };
  }
}
