import http from "node:http";
import https from "node:https";
import { OperatorRefused, OperatorUnreachable } from "./errors.ts";
import type { OperatorConnection } from "./operator-connection.ts";

export type OperatorMethod = "GET" | "POST" | "DELETE";

async function send(
  { url, token }: OperatorConnection,
  method: OperatorMethod,
  path: string,
  body: unknown,
): Promise<http.IncomingMessage> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: "application/json, application/x-ndjson",
    authorization: `Bearer ${token}`,
    ...(payload === undefined
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
  };
  const transport = url.protocol === "https:" ? https : http;
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    transport
      .request(new URL(path, url), { method, headers, agent: false }, resolve)
      .on("error", (error: NodeJS.ErrnoException) => reject(new OperatorUnreachable(url, error.code ?? error.message)))
      .end(payload);
  });
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw OperatorRefused.of(status, await text(url, response));
  return response;
}

async function text(url: URL, response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    throw new OperatorUnreachable(url, "the answer broke off");
  }
  return Buffer.concat(chunks).toString();
}

async function* textLines(url: URL, response: http.IncomingMessage): AsyncGenerator<string> {
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
 * Speaks the operator interface: JSON over HTTP under a bearer token. Waits as long as the service takes: a rebuild
 * or a step of the clock has no time limit.
 */
export class OperatorClient {
  readonly #address: () => OperatorConnection;

  /** The address is looked up at the first request. */
  constructor(address: () => OperatorConnection) {
    this.#address = address;
  }

  /**
   * The body of the answer.
   * @throws OperatorRefused the service answered with an error status.
   * @throws OperatorUnreachable nobody answered, or the connection broke.
   */
  async request(method: OperatorMethod, path: string, body?: unknown): Promise<unknown> {
    const address = this.#address();
    return parse(address.url, await text(address.url, await send(address, method, path, body)));
  }

  /** The answer's JSON lines as they come. Throws as `request` does. */
  async *lines(method: OperatorMethod, path: string, body?: unknown): AsyncGenerator<unknown> {
    const address = this.#address();
    const response = await send(address, method, path, body);
    for await (const line of textLines(address.url, response)) yield parse(address.url, line);
  }
}
