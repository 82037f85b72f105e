import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bookingOf, type ReceivedDelivery } from "./received.ts";
import { type Respond, respondWith } from "./respond-with.ts";

/** A real receiver on a free port of 127.0.0.1. */
export class Receiver {
  /** In the order they came; may be emptied. */
  readonly received: ReceivedDelivery[] = [];
  readonly url: string;
  respond: Respond;
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server, respond: Respond) {
    this.#server = server;
    this.respond = respond;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?from=here`;
  }

  static async start(respond: Respond = respondWith(204)): Promise<Receiver> {
    const server = createServer((request, response) => void receiver.#handle(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const receiver = new Receiver(server, respond);
    return receiver;
  }

  /** Ids of the events, in the order they came. */
  get ids(): readonly string[] {
    return this.received.map(({ event }) => event.id);
  }

  /** Ids of the events of one booking, its payments' included, in the order they came. */
  idsOfBooking(bookingId: string): readonly string[] {
    return this.received.filter(({ event }) => bookingOf(event) === bookingId).map(({ event }) => event.id);
  }

  /** Resolves when this holds of what has come. */
  async until(holds: (received: readonly ReceivedDelivery[]) => boolean): Promise<void> {
    while (!holds(this.received)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Resolves when so many have come. */
  untilCount(count: number): Promise<void> {
    return this.until(({ length }) => length >= count);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const received = { method, path: url, headers, body, event: JSON.parse(body) as ReceivedDelivery["event"] };
    this.received.push(received);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    response.on("error", () => undefined);
    await this.respond(received, response, this.received.length);
  }
}
