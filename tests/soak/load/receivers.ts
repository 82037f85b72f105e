import { setTimeout as pause } from "node:timers/promises";
import { bookingOf, isSigned, Receiver, type Respond } from "@travel-booking/webhooks/receiver/testing";

export const EVENT_TYPES = [
  "booking.confirmed",
  "booking.changed",
  "booking.cancelled",
  "payment.succeeded",
  "payment.failed",
];
const SLOW_MS = 400;

type Behaviour = (isDown: () => boolean) => Respond;

const good: Respond = (_, response) => void response.writeHead(204).end();

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  good: () => good,
  slow: () => async (_, response) => {
    await pause(SLOW_MS);
    response.writeHead(204).end();
  },
  "down for a while": (isDown) => (_, response) => void (isDown() ? response.destroy() : response.writeHead(204).end()),
};

/** Writes down which events a webhook endpoint has taken, and forgets the rest. */
export class Listener {
  readonly name: string;
  readonly url: string;
  /** Ids by booking, in the order they came. */
  readonly heard = new Map<string, string[]>();
  /** Whom it listens for; told once the endpoint is made. */
  secret = "";
  wrongSignatures = 0;
  readonly #receiver: Receiver;

  private constructor(name: string, receiver: Receiver, respond: Respond) {
    this.name = name;
    this.url = receiver.url;
    this.#receiver = receiver;
    this.#answer(respond);
  }

  /** One of each kind. @param isDown whether the one that is down for a while is. */
  static startAll(isDown: () => boolean): Promise<readonly Listener[]> {
    return Promise.all(
      Object.entries(BEHAVIOURS).map(async ([name, behaviour]) => {
        return new Listener(name, await Receiver.start(), behaviour(isDown));
      }),
    );
  }

  /** From here on it takes everything at once. */
  behave(): void {
    this.#answer(good);
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }

  #answer(respond: Respond): void {
    this.#receiver.respond = async (received, response, count) => {
      this.#receiver.received.length = 0;
      if (!isSigned(received, this.secret)) this.wrongSignatures += 1;
      await respond(received, response, count);
      // What nobody hears the answer to comes again.
      if (response.destroyed) return;
      const bookingId = bookingOf(received.event);
      const heard = this.heard.get(bookingId) ?? [];
      heard.push(received.event.id);
      this.heard.set(bookingId, heard);
    };
  }
}
