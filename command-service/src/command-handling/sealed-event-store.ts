import { setImmediate } from "node:timers/promises";
import { ERASED_WORDS, mapWordsOfEvent, mayHaveWords, subjectOfStream } from "@travel-booking/domain";
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  START,
  type SubscribeOptions,
} from "@travel-booking/engines/event-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { MARK, type SealedWords, type SubjectKey } from "@travel-booking/read-models/sealed-words";

/**
 * The event store as the command side sees it: personal words are sealed when events are stored, and open in what is read
 * of a stream. Subscriptions are not opened: read models store words as they are in the log.
 */
export class SealedEventStore implements EventStore {
  readonly #store: EventStore;
  readonly #words: SealedWords;

  constructor(store: EventStore, words: SealedWords) {
    this.#store = store;
    this.#words = words;
  }

  get singleWriter(): boolean {
    return this.#store.singleWriter;
  }

  /** As `EventStore.append`. @throws EventStoreUnavailable also where the key is out of reach: nothing was attempted. */
  append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    const subject = subjectOfStream(stream);
    if (subject === undefined || !events.some(mayHaveWords)) {
      return this.#store.append(stream, expectedRevision, events, onOrdered);
    }
    const append = (key: SubjectKey) => {
      const sealed = events.map((event) => {
        const data = this.#words.sealEvent(event.type, event.data, subject, key);
        return data === event.data ? event : { ...event, data };
      });
      return this.#store.append(stream, expectedRevision, sealed, onOrdered);
    };
    const cached = this.#words.keys.cached(subject);
    return cached === undefined ? this.#keyOf(stream, subject, expectedRevision, events).then(append) : append(cached);
  }

  async readStream(stream: string, fromRevision?: number): Promise<readonly RecordedEvent[]> {
    const events = await this.#store.readStream(stream, fromRevision);
    const subject = subjectOfStream(stream);
    if (subject === undefined || !events.some(mayHaveWords)) return events;
    const key = await this.#words.keys.find(subject);
    // Stored before there were keys.
    if (key === undefined) return events;
    return events.map((event) => {
      const data = this.#words.openEvent(event.type, event.data, subject, key);
      return data === event.data ? event : { ...event, data };
    });
  }

  /** How many events of a stream have sealed words, erased ones included, and how many have plain ones. */
  async countWords(stream: string): Promise<WordCounts> {
    return countWords(await this.#store.readStream(stream));
  }

  /** The same of the whole log, up to its present end. */
  async countAllWords(): Promise<WordCounts> {
    const counted = { sealed: 0, plain: 0 };
    for await (const batch of this.readAll()) {
      const { sealed, plain } = countWords(batch);
      counted.sealed += sealed;
      counted.plain += plain;
    }
    return counted;
  }

  /** All of the log up to its present end, words as they are stored. */
  async *readAll(): AsyncGenerator<readonly RecordedEvent[]> {
    const head = await this.#store.head();
    if (head === START) return;
    const done = new AbortController();
    try {
      for await (const batch of this.#store.subscribe({ after: START, signal: done.signal })) {
        yield batch;
        if ((batch.at(-1)?.position ?? head) >= head) return;
        // Requests get their turn.
        await setImmediate();
      }
    } finally {
      done.abort();
    }
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#store.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.#store.head();
  }

  eventIdAt(position: bigint): Promise<string | undefined> {
    return this.#store.eventIdAt(position);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #keyOf(
    stream: string,
    subject: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
  ): Promise<SubjectKey> {
    try {
      const accountId = accountOf(events) ?? accountOf(await this.#store.readStream(stream));
      if (accountId === undefined) throw new Error(`nothing says whose the stream ${stream} is`);
      // An account's points have a stream of their own, which begins later.
      const isNew = expectedRevision === NO_STREAM && !(subject === accountId && events[0]?.type !== "AccountOpened");
      return await this.#words.keys.findOrCreate(subject, accountId, isNew);
    } catch (cause) {
      if (!(cause instanceof EngineUnavailable)) throw cause;
      throw new EventStoreUnavailable("the key of what is to be stored is out of reach", {
        outcomeUnknown: false,
        cause,
      });
    }
  }
}

/** Events with words that are sealed, or erased, and those with words that are plain. */
export interface WordCounts {
  readonly sealed: number;
  readonly plain: number;
}

function countWords(events: readonly RecordedEvent[]): WordCounts {
  let [sealed, plain] = [0, 0];
  for (const { type, data } of events) {
    const words: string[] = [];
    mapWordsOfEvent(type, data, (word) => String(words.push(word)));
    if (words.some((word) => !word.startsWith(MARK) && !ERASED.has(word))) plain += 1;
    else if (words.length > 0) sealed += 1;
  }
  return { sealed, plain };
}

const ERASED: ReadonlySet<string> = new Set(Object.values(ERASED_WORDS));

/** Creations say whose they are in their data; of later events those that an account caused. */
function accountOf(events: readonly EventToAppend[]): string | undefined {
  for (const { data, metadata } of events) {
    const accountId = (data as { readonly accountId?: unknown }).accountId ?? metadata.accountId;
    if (typeof accountId === "string") return accountId;
  }
  return undefined;
}
