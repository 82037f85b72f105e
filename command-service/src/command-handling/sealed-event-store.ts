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
import {
  keyIdOf,
  MARK,
  type SealedWords,
  type SubjectKey,
  type WordKey,
} from "@travel-booking/read-models/sealed-words";
import { RecentMap } from "@travel-booking/runtime/recent-map";
import { bookingStream } from "../streams.ts";
import { visitInTurns } from "./in-turns.ts";

/** Of bookings that were read or made last, about 150 bytes each. */
const MAX_KEY_IDS = 25_000;

/**
 * The event store as the command side sees it: personal words are sealed when events are stored, and open in what is read
 * of a stream. Subscriptions are not opened: read models store words as they are in the log.
 */
export class SealedEventStore implements EventStore {
  readonly #store: EventStore;
  readonly #words: SealedWords;
  /** By booking id, of the key that its words were, or are to be, sealed under first. */
  readonly #keyIds = new RecentMap<string>(MAX_KEY_IDS);

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
    const append = (key: WordKey) => {
      const sealed = events.map((event) => {
        const data = this.#words.sealEvent(event.type, event.data, subject, key);
        return data === event.data ? event : { ...event, data };
      });
      const appended = this.#store.append(stream, expectedRevision, sealed, onOrdered);
      return expectedRevision === NO_STREAM ? appended.catch((error) => this.#forget(subject, error)) : appended;
    };
    const atHand = this.#keyAtHand(subject, expectedRevision, events);
    if (atHand !== undefined) return append(atHand);
    if (!events.some(hasWords)) return this.#store.append(stream, expectedRevision, events, onOrdered);
    return this.#keyFor(stream, subject, expectedRevision, events).then(append);
  }

  async readStream(stream: string, fromRevision?: number): Promise<readonly RecordedEvent[]> {
    const events = await this.#store.readStream(stream, fromRevision);
    const keyIds = keyIdsOf(events);
    if (keyIds.size === 0) return events;
    const subject = subjectOfStream(stream);
    if (subject !== undefined && events[0]?.revision === 0) this.#rememberFirst(subject, keyIds);
    const keys = new Map<string, SubjectKey>();
    for (const id of keyIds) keys.set(id, (await this.#words.keys.find(id)) ?? null);
    const opened: RecordedEvent[] = [];
    await visitInTurns(events, (event) => {
      const data = this.#words.openEvent(event.type, event.data, (id) => keys.get(id) ?? null);
      opened.push(data === event.data ? event : { ...event, data });
    });
    return opened;
  }

  /**
   * An event that was stored before words were sealed, as it would be stored today; any other as it is.
   * @param isErased what its stream is about.
   */
  async seal(event: RecordedEvent, isErased: (subject: string) => boolean): Promise<RecordedEvent> {
    const { stream, type, data } = event;
    const subject = subjectOfStream(stream);
    if (subject === undefined || countWords([event]).plain === 0) return event;
    const key = isErased(subject) ? null : await this.#findOrCreateKey(stream, subject, false, [event]);
    return { ...event, data: this.#words.sealEvent(type, data, subject, key) };
  }

  /** The keys of the words in a stream. */
  async keyIdsIn(stream: string): Promise<ReadonlySet<string>> {
    return keyIdsOf(await this.#store.readStream(stream));
  }

  /** As `findKey`, or one for what is no word of an event. Null: the booking is erased. */
  async keyForFiles(bookingId: string, accountId: string): Promise<WordKey> {
    const found = await this.findKey(bookingId);
    return found === undefined ? this.#words.keys.pages.next(accountId) : found;
  }

  /**
   * The key that the words of a booking or a saved passenger were sealed under first; undefined: none is.
   * @throws EventStoreUnavailable, StateStoreUnavailable
   */
  async findKey(subject: string): Promise<WordKey | undefined> {
    let id = isBooking(subject) ? this.#keyIds.get(subject) : subject;
    if (id === undefined) id = this.#rememberFirst(subject, await this.keyIdsIn(bookingStream(subject).stream));
    if (id === undefined) return undefined;
    const key = await this.#words.keys.find(id);
    return typeof key === "string" ? { id, key } : key;
  }

  /** How many events of a stream have sealed words, erased ones included, and how many have plain ones. */
  async countWords(stream: string): Promise<WordCounts> {
    return countWords(await this.#store.readStream(stream));
  }

  /** The same of all that is counted of the whole log, up to its present end. */
  async countAllWords(isCounted: (event: RecordedEvent) => boolean = () => true): Promise<WordCounts> {
    const counted = { sealed: 0, plain: 0 };
    for await (const batch of this.readAll()) {
      const { sealed, plain } = countWords(batch.filter(isCounted));
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

  /** Without looking for it. */
  #keyAtHand(subject: string, expectedRevision: number, events: readonly EventToAppend[]): WordKey | undefined {
    const { keys } = this.#words;
    if (isBooking(subject) && expectedRevision === NO_STREAM) {
      const accountId = accountOf(events);
      const made = accountId === undefined ? undefined : keys.pages.nextMade(accountId);
      if (made !== undefined) this.#rememberFirst(subject, [made.id]);
      return made;
    }
    const id = isBooking(subject) ? this.#keyIds.get(subject) : subject;
    if (id === undefined) return undefined;
    const key = keys.cached(id);
    return typeof key === "string" ? { id, key } : key;
  }

  #rememberFirst(bookingId: string, [id]: Iterable<string>): string | undefined {
    if (id === undefined || !isBooking(bookingId)) return id;
    this.#keyIds.set(bookingId, id);
    this.#keyIds.trim();
    return id;
  }

  /** Another process may have stored it first, under another key. */
  #forget(subject: string, error: unknown): never {
    this.#keyIds.delete(subject);
    throw error;
  }

  async #keyFor(
    stream: string,
    subject: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
  ): Promise<WordKey> {
    try {
      return await this.#findOrCreateKey(stream, subject, expectedRevision === NO_STREAM, events);
    } catch (cause) {
      if (!(cause instanceof EngineUnavailable)) throw cause;
      throw new EventStoreUnavailable("the key of what is to be stored is out of reach", {
        outcomeUnknown: false,
        cause,
      });
    }
  }

  /** @param isFirst of its stream. */
  async #findOrCreateKey(
    stream: string,
    subject: string,
    isFirst: boolean,
    events: readonly EventToAppend[],
  ): Promise<WordKey> {
    const { keys } = this.#words;
    const known = isBooking(subject) && !isFirst ? await this.findKey(subject) : undefined;
    if (known !== undefined) return known;
    const accountId = accountOf(events) ?? accountOf(await this.#store.readStream(stream));
    if (accountId === undefined) throw new Error(`nothing says whose the stream ${stream} is`);
    if (isBooking(subject)) {
      const key = await keys.pages.next(accountId);
      this.#rememberFirst(subject, key === null ? [] : [key.id]);
      return key;
    }
    // An account's points have a stream of their own, which begins later.
    const isNew = isFirst && !(subject === accountId && events[0]?.type !== "AccountOpened");
    const key = await keys.findOrCreate(subject, accountId, isNew);
    return key === null ? null : { id: subject, key };
  }
}

function isBooking(subject: string): boolean {
  return subject.startsWith("bkg_");
}

function hasWords({ type, data }: EventToAppend): boolean {
  let found = false;
  mapWordsOfEvent(type, data, (word) => {
    found = true;
    return word;
  });
  return found;
}

/** In the order in which they stand there. */
function keyIdsOf(events: readonly RecordedEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { type, data } of events) {
    mapWordsOfEvent(type, data, (word) => {
      const id = keyIdOf(word);
      if (id !== undefined) ids.add(id);
      return word;
    });
  }
  return ids;
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
