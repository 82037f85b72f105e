import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach } from "@jest/globals";
import { type ClientOptions, TravelBooking } from "../../src/index.ts";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One answer; a function answers as it likes. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse) => void);

/** A service on a port of its own that gives the answers it is told to, one after the other, the last for good. Each stops after its test. */
export class ScriptedService {
  readonly received: Received[] = [];
  readonly #server: Server;

  private constructor(answers: readonly Answer[]) {
    this.#server = createServer(async (request, response) => {
      const { method = "", url = "", headers } = request;
      const answer = answers[Math.min(this.received.length, answers.length - 1)];
      this.received.push({ method, url, headers, body: await text(request) });
      if (typeof answer === "function") answer(response);
      else response.writeHead(answer?.status ?? 200, answer?.headers).end(JSON.stringify(answer?.body ?? {}));
    });
  }

  static async start(...answers: readonly Answer[]): Promise<ScriptedService> {
    const service = new ScriptedService(answers);
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    running.add(service);
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  client(options: Partial<ClientOptions> = {}): TravelBooking {
    return new TravelBooking({ baseUrl: this.baseUrl, apiKey: "key", ...options });
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const running = new Set<ScriptedService>();
afterEach(async () => {
  await Promise.all([...running].map((service) => service.stop()));
  running.clear();
});

/** Cuts the connection without an answer. */
export const cut: Answer = (response) => void response.destroy();

/** Begins an answer and cuts the connection. */
export const cutShort: Answer = (response) => {
  response.writeHead(200, { "content-length": "100" });
  response.write('{"id":', () => response.destroy());
};

/** Never answers. */
export const silence: Answer = () => undefined;

export const ready = (body: unknown): Answer => ({ status: 200, body });

export const soon = (status: number): Answer => ({
  status,
  headers: { "retry-after": "0" },
  body: { statusCode: status, message: "later" },
});
