import type { IncomingMessage } from "node:http";
import { printable } from "@travel-booking/runtime/printable";
import type { OperatorConnection } from "./operator-connection.ts";

/** The service refused; `reasons` are its messages, one per problem. */
export class OperatorRefused extends Error {
  override readonly name = "OperatorRefused";
  readonly reasons: readonly string[];
  /** Of the response; undefined: nothing was asked. */
  readonly status: number | undefined;

  constructor(reasons: readonly string[], status?: number) {
    super(reasons.map(printable).join("\n"));
    this.reasons = reasons;
    this.status = status;
  }

  /** From an ErrorResponse body, or from the bare status if the body is something else. */
  static of(status: number, body: string): OperatorRefused {
    try {
      const { message } = JSON.parse(body) as { readonly message?: unknown };
      if (typeof message === "string") return new OperatorRefused([message], status);
      if (Array.isArray(message) && message.length > 0) return new OperatorRefused(message.map(String), status);
    } catch {
      // Not JSON: the status alone is reported.
    }
    return new OperatorRefused([`the operator interface answered with status ${status}`], status);
  }
}

/** No operator interface answered at that address. */
export class OperatorUnreachable extends Error {
  override readonly name = "OperatorUnreachable";

  constructor(url: URL, why: string) {
    super(`the operator interface at ${url.origin} is not reachable (${why}): is the service running there?`);
  }
}

export type OperatorMethod = "GET" | "POST" | "DELETE";

async function send(
  { url, token, name, signal }: OperatorConnection,
  method: OperatorMethod,
  path: string,
  body: unknown,
  key?: string,
): Promise<IncomingMessage> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: "application/json, application/x-ndjson",
    authorization: `Bearer ${token}`,
    ...(name === undefined ? {} : { "operator-name": encodeURIComponent(name) }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...(payload === undefined
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
  };
  // Loaded with the first request. Help needs neither module, and they take longer to load than all of this program.
  const transport = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    transport
      .request(new URL(path, url), { method, headers, agent: false, ...(signal && { signal }) }, resolve)
      .on("error", (error: NodeJS.ErrnoException) => reject(new OperatorUnreachable(url, error.code ?? error.message)))
      .end(payload);
  });
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw OperatorRefused.of(status, await text(url, response));
  return response;
}

async function text(url: URL, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    throw new OperatorUnreachable(url, "the answer broke off");
  }
  return Buffer.concat(chunks).toString();
}

async function* textLines(url: URL, response: IncomingMessage): AsyncGenerator<string> {
  let pending = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      const lines = (pending + chunk).split("\n");
      pending = lines.pop() ?? "";
      yield* lines.filter((line) => line !== "");
    }
  } catch {
    throw new OperatorUnreachable(url, "the answer broke off");
  }
  if (pending !== "") yield pending;
}

function parse(url: URL, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new OperatorUnreachable(url, "what answers there does not speak the operator interface");
  }
}

/**
 * A client of the operator interface: JSON over HTTP with a bearer token. Requests have no time-out, because a rebuild
 * or a step of the clock may take any time.
 */
export class OperatorClient {
  readonly #findConnection: () => OperatorConnection;

  /** `findConnection` is called with each request, since a command line that asks for help needs no service. */
  constructor(findConnection: () => OperatorConnection) {
    this.#findConnection = findConnection;
  }

  /**
   * Sends a request and returns the body of the response.
   * @param key with which the same request again is carried out once; undefined: each time.
   * @throws OperatorRefused the response has an error status.
   * @throws OperatorUnreachable there was no response, or the connection broke.
   */
  async request(method: OperatorMethod, path: string, body?: unknown, key?: string): Promise<unknown> {
    const connection = this.#findConnection();
    return parse(connection.url, await text(connection.url, await send(connection, method, path, body, key)));
  }

  /** Yields the JSON lines of the response as they arrive. Throws as `request` does. */
  async *lines(method: OperatorMethod, path: string, body?: unknown): AsyncGenerator<unknown> {
    const connection = this.#findConnection();
    const response = await send(connection, method, path, body);
    for await (const line of textLines(connection.url, response)) yield parse(connection.url, line);
  }
}
