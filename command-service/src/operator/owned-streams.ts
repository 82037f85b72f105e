import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { accountStream, bookingStream, loyaltyStream, passengerStream, webhookEndpointsStream } from "../streams.ts";

/** The beginnings of stream names. */
const BOOKING = bookingStream("").stream;
const PASSENGER = passengerStream("").stream;

/** Recognises the events of an account in a log that is read from its beginning. */
export class OwnedStreams {
  readonly bookings: string[] = [];
  readonly #accountId: string;
  readonly #streams: Set<string>;

  constructor(accountId: string) {
    this.#accountId = accountId;
    const own = [accountStream(accountId), loyaltyStream(accountId), webhookEndpointsStream(accountId)];
    this.#streams = new Set(own.map(({ stream }) => stream));
  }

  /** The first event of a stream names its account. So do events that it caused on a flight. */
  has({ stream, revision, data, metadata }: RecordedEvent): boolean {
    if (this.#streams.has(stream)) return true;
    const { accountId = metadata.accountId } = data as { readonly accountId?: unknown };
    if (accountId !== this.#accountId) return false;
    if (revision === 0 && (stream.startsWith(BOOKING) || stream.startsWith(PASSENGER))) {
      this.#streams.add(stream);
      if (stream.startsWith(BOOKING)) this.bookings.push(stream.slice(BOOKING.length));
    }
    return true;
  }
}
