import type { ReadStore } from "@travel-booking/engines/read-store";
import { LocalProgress } from "@travel-booking/projector";
import { EVENT_FEEDS, EVENTS, WEBHOOKS } from "@travel-booking/read-models";
import { type OpenPut, SealedDocuments, type SealedWords } from "@travel-booking/read-models/sealed-words";
import { EventFixtures, putEndpoint } from "@travel-booking/read-models/testing";
import { hexOf } from "../data/ids.ts";

const TYPE = "booking.changed";
const WRITTEN_AT_ONCE = 500;

export interface BenchEndpoint {
  readonly account: number;
  readonly number: number;
  readonly url: string;
}

/** The next event of a booking. */
export interface BenchEvent {
  readonly account: number;
  readonly booking: number;
}

export const endpointIdOf = (number: number) => `whe_${hexOf(number)}`;
const accountIdOf = (number: number) => `acc_${hexOf(number)}`;

/** Read models that are written by hand, as the projector would, and how far they are. */
export class EventSource {
  readonly progress = new LocalProgress();
  readonly #store: ReadStore;
  readonly #documents: SealedDocuments;
  readonly #events = new EventFixtures();
  #written = 0n;

  private constructor(store: ReadStore, words: SealedWords) {
    this.#store = store;
    this.#documents = new SealedDocuments(store, words);
  }

  static async open(store: ReadStore, words: SealedWords, endpoints: readonly BenchEndpoint[]): Promise<EventSource> {
    for (const { projection } of [WEBHOOKS, ...EVENT_FEEDS]) {
      await store.create({ projection, generation: 1 }, 1);
      await store.switchLive({ projection, generation: 1 });
    }
    const source = new EventSource(store, words);
    await source.#put(WEBHOOKS.projection, endpoints, ({ account, number, url }, position) => [
      putEndpoint(position, {
        accountId: accountIdOf(account),
        endpointId: endpointIdOf(number),
        url,
        events: [TYPE],
      }),
    ]);
    source.publish();
    return source;
  }

  /** Answers the ids of the events, which can be seen when this is shown. */
  async write(events: readonly BenchEvent[]): Promise<readonly string[]> {
    const ids: string[] = [];
    await this.#put(EVENTS.projection, events, ({ account, booking }, position) => {
      const event = { accountId: accountIdOf(account), bookingId: `bkg_${hexOf(booking)}`, type: TYPE, at: 0 } as const;
      const { id, writes } = this.#events.write(position, event);
      ids.push(id);
      return writes;
    });
    return ids;
  }

  /** Everything written so far can be seen. */
  publish(): void {
    this.#store.refresh();
    this.progress.advance([...EVENT_FEEDS, WEBHOOKS].map(({ projection }) => [projection, this.#written]));
  }

  async #put<Each>(
    projection: string,
    all: readonly Each[],
    write: (each: Each, position: bigint) => readonly OpenPut[],
  ) {
    for (let from = 0; from < all.length; from += WRITTEN_AT_ONCE) {
      const writes = all.slice(from, from + WRITTEN_AT_ONCE).flatMap((each) => {
        this.#written += 1n;
        return write(each, this.#written);
      });
      await this.#documents.write([{ projection, generation: 1, writes, checkpoint: this.#written }]);
    }
  }
}
