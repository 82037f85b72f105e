import { serializeBody } from "./serialize-body.ts";

/** A client of the public API: one credential, plain `fetch`. */
export interface ApiClientResponse<Body = never> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export class ApiClient {
  readonly #baseUrl: string;
  readonly #credential: Readonly<Record<string, string>>;

  constructor(baseUrl: string, credential: { readonly apiKey: string } | { readonly accessToken: string }) {
    this.#baseUrl = baseUrl;
    this.#credential =
      "apiKey" in credential
        ? { "x-api-key": credential.apiKey }
        : { authorization: `Bearer ${credential.accessToken}` };
  }

  async call<Body = never>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiClientResponse<Body>> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        ...this.#credential,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: serializeBody(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? undefined : JSON.parse(text)) as Body,
    };
  }

  get<Body = never>(path: string, headers?: Readonly<Record<string, string>>): Promise<ApiClientResponse<Body>> {
    return this.call<Body>("GET", path, undefined, headers);
  }

  post<Body = never>(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiClientResponse<Body>> {
    return this.call<Body>("POST", path, body, headers);
  }

  patch<Body = never>(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiClientResponse<Body>> {
    return this.call<Body>("PATCH", path, body, headers);
  }
}
