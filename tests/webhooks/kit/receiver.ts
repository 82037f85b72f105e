import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery that came in. */
export interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly object: { readonly id: string; readonly bookingId?: string } };
  };
}

export type Respond = (received: Received, response: ServerResponse) => void;

export const answer =
  (status: number): Respond =>
  (_received, response) => {
    response.writeHead(status).end();
  };

/** A real receiver on a free port; it outlives the service. */
export class Receiver {
  readonly received: Received[] = [];
  readonly url: string;
  respond: Respond;
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server, respond: Respond) {
    this.#server = server;
    this.respond = respond;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  }

  static async start(respond: Respond = answer(204)): Promise<Receiver> {
    const server = createServer((request, response) => void receiver.#take(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const receiver = new Receiver(server, respond);
    return receiver;
  }

  get ids(): readonly string[] {
    return this.received.map(({ event }) => event.id);
  }

  /** Ids of the events of one booking, its payments' included, in the order they came. */
  of(bookingId: string): readonly string[] {
    return this.received.filter(({ event }) => bookingOf(event) === bookingId).map(({ event }) => event.id);
  }

  /** Resolves when this holds of what has come. */
  async until(holds: (received: readonly Received[]) => boolean): Promise<void> {
    while (!holds(this.received)) {
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
    const received = { headers: request.headers, body, event: JSON.parse(body) as Received["event"] };
    this.received.push(received);
    response.on("error", () => undefined);
    this.respond(received, response);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

export function bookingOf({ data: { object } }: Received["event"]): string {
  return object.bookingId ?? object.id;
}

export function isSigned({ headers, body }: Received, secret: string): boolean {
  return headers["service-signature"] === createHmac("sha256", secret).update(body).digest("hex");
}

/** Without those that came before. */
export function firsts(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
