import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { type DeliveryHeaders, verify } from "../src/receiver/receiver.ts";

/** The fields of an event that tests use. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string; readonly bookingId?: string } };
}

/** A delivery that was received. */
export interface ReceivedDelivery {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ReceivedEvent;
}

/** The booking of an event, which may be about a payment. */
export function bookingOf({ data: { object } }: ReceivedEvent): string {
  return object.bookingId ?? object.id;
}

/** Without repetitions. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}

/** Answers a delivery. @param count the number of deliveries so far, this one included. */
export type Respond = (received: ReceivedDelivery, response: ServerResponse, count: number) => void | Promise<void>;

/** Always answers the same, without a body. */
export const respondWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_received, response) => {
    response.writeHead(status, headers).end();
  };

/** A real receiver on a free port of 127.0.0.1. */
export class Receiver {
  /** In the order of arrival; tests may empty it. */
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

  /** Ids of the events, in the order of arrival. */
  get ids(): readonly string[] {
    return this.received.map(({ event }) => event.id);
  }

  /** Ids of the events of a booking and its payments, in the order of arrival. */
  idsOfBooking(bookingId: string): readonly string[] {
    return this.received.filter(({ event }) => bookingOf(event) === bookingId).map(({ event }) => event.id);
  }

  /** Resolves when the condition holds. */
  async until(condition: (received: readonly ReceivedDelivery[]) => boolean): Promise<void> {
    while (!condition(this.received)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Resolves when so many deliveries have been received. */
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

/** Whether `Service-Signature` is right (docs/rules.md#signatures). */
export function isSigned(received: ReceivedDelivery, secret: string): boolean {
  return check(received, secret).service === true;
}

/** Whether the signature of the Standard Webhooks specification is right. */
export function isStandardSigned(received: ReceivedDelivery, secret: string): boolean {
  return check(received, secret).standard === true;
}

function check({ headers, body }: ReceivedDelivery, secret: string) {
  return verify(secret, headers as DeliveryHeaders, Buffer.from(body));
}
