import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What came in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly object: { readonly id: string } };
  };
}

export type Respond = (received: Received, response: ServerResponse, count: number) => void | Promise<void>;

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_received, response) => {
    response.writeHead(status, headers).end();
  };

/** A real receiver on a free port. */
export class Receiver {
  readonly received: Received[] = [];
  readonly url: string;
  respond: Respond = answer(204);
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?from=here`;
  }

  static async start(respond?: Respond): Promise<Receiver> {
    const server = createServer((request, response) => void receiver.#take(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const receiver = new Receiver(server);
    if (respond !== undefined) receiver.respond = respond;
    return receiver;
  }

  /** Ids of the events, in the order they came. */
  get ids(): readonly string[] {
    return this.received.map(({ event }) => event.id);
  }

  /** Resolves when so many have come. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const received = { method, path: url, headers, body, event: JSON.parse(body) as Received["event"] };
    this.received.push(received);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    response.on("error", () => undefined);
    await this.respond(received, response, this.received.length);
  }
}

/** As the API document tells receivers to check a delivery. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  return headers["service-signature"] === createHmac("sha256", secret).update(body).digest("hex");
}

/** As the Standard Webhooks specification tells them. */
export function isStandardSigned({ headers, body }: Received, secret: string): boolean {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
