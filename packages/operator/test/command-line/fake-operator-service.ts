import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** What the service answers with: a JSON body, raw text, or JSON lines with a delay-free end or a broken one. */
export interface FakeResponse {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly lines?: readonly unknown[];
  readonly breakOff?: boolean;
}

/** Speaks the operator interface as far as the tests tell it to, over real HTTP. */
export class FakeOperatorService {
  readonly seen: RecordedRequest[] = [];
  readonly #answers = new Map<string, FakeResponse | (() => FakeResponse)>();
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  on(methodAndPath: string, answer: FakeResponse | (() => FakeResponse)): void {
    this.#answers.set(methodAndPath, answer);
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    this.seen.push({ method, path: url, authorization: headers.authorization, body });

    const known = this.#answers.get(`${method} ${url}`);
    const answer = typeof known === "function" ? known() : known;
    if (answer === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ statusCode: 404, message: `no ${method} ${url}`, error: "Not Found" }));
      return;
    }
    response.writeHead(answer.status ?? 200);
    for (const line of answer.lines ?? []) response.write(`${JSON.stringify(line)}\n`);
    if (answer.breakOff === true) response.socket?.end();
    else response.end(answer.text ?? (answer.lines === undefined ? JSON.stringify(answer.json) : undefined));
  }
}
