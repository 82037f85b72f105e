import { setImmediate } from "node:timers/promises";
import { ERASED_WORDS, subjectOfStream } from "@travel-booking/domain";
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
  keyIdsIn,
  MARK,
  type SealedWords,
  type Word,
  type WordKey,
  wordsOfEvent,
} from "@travel-booking/read-models/sealed-words";
import { LRUCache } from "lru-cache";
import { bookingStream, loyaltyStream } from "../streams.ts";
import { inTurns } from "./in-turns.ts";

/** Of bookings that were read or made last, about 150 bytes each. */
const MAX_KEY_IDS = 50_000;

/** The event store as the command handler needs it. */
export type CommandStore = Pick<EventStore, "singleWriter" | "append" | "readStream">;

/**
 * The event store as the command side sees it: personal words are sealed when events are stored, and open in what is read
 * of a stream. Subscriptions are not opened: read models store words as they are in the log.
 */
export class SealedEventStore implements CommandStore {
  readonly #store: EventStore;
  readonly #words: SealedWords;
  /** By booking id, of the key that its words were, or are to be, sealed under first. */
  readonly #keyIds = new LRUCache<string, string>({ max: MAX_KEY_IDS });

  constructor(store: EventStore, words: SealedWords) {
    this.#store = store;
    this.#words = words;
  }

  get singleWriter(): boolean {
    return this.#store.singleWriter;
  }

  /** As `EventStore.append`. @throws EventStoreUnavailable also where the key is out of reach: nothing was attempted. */
  async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): Promise<AppendResult> {
    const subject = subjectOfStream(stream);
    const words = subject === undefined ? [] : events.map(wordsOfEvent);
    if (subject === undefined || words.every(({ length }) => length === 0)) {
      return this.#store.append(stream, expectedRevision, events, onOrdered);
    }
    const isFirst = expectedRevision === NO_STREAM;
    const key = await this.#keyFor(stream, subject, isFirst, accountOf(events)).catch(nothingAttempted);
    const sealed = events.map((event, index) => this.#seal(event, key, words[index]));
    try {
      return await this.#store.append(stream, expectedRevision, sealed, onOrdered);
    } catch (error) {
      // Another process may have stored it first, under another key.
      this.#keyIds.delete(subject);
      throw error;
    }
  }

  async readStream(stream: string, fromRevision?: number): Promise<readonly RecordedEvent[]> {
    const events = await this.#store.readStream(stream, fromRevision);
    const subject = subjectOfStream(stream);
    if (subject === undefined) return events;
    if (events[0]?.revision === 0) this.#rememberFirst(subject, keyIdsOf(events.slice(0, 1)));
    const opened: RecordedEvent[] = [];
    for await (const some of inTurns(events)) {
      const data = await this.#words.revealValue(some.map((event) => event.data));
      opened.push(...some.map((event, index) => ({ ...event, data: data[index] })));
    }
    return opened;
  }

  /**
   * An event that was stored before words were sealed, as it would be stored today; any other as it is.
   * @param isErased what its stream is about.
   */
  async seal(event: RecordedEvent, isErased: (subject: string) => boolean): Promise<RecordedEvent> {
    const subject = subjectOfStream(event.stream);
    const words = wordsOfEvent(event);
    if (subject === undefined || !words.some(isPlain)) return event;
    const key = isErased(subject) ? null : await this.#keyFor(event.stream, subject, false, accountOf([event]));
    return this.#seal(event, key, words);
  }

  /** The keys of the words in a stream. */
  async keyIdsIn(stream: string): Promise<ReadonlySet<string>> {
    return keyIdsOf(await this.#store.readStream(stream));
  }

  /** The key for the files of a booking; null: it is erased. @throws EventStoreUnavailable, StateStoreUnavailable */
  keyForFiles(bookingId: string, accountId: string): Promise<WordKey | null> {
    return this.#keyFor(bookingStream(bookingId).stream, bookingId, false, accountId);
  }

  /**
   * The key that the words of a booking, a saved passenger or an account were sealed under first; undefined: none is.
   * @throws EventStoreUnavailable, StateStoreUnavailable
   */
  async findKey(subject: string): Promise<WordKey | null | undefined> {
    let id = isBooking(subject) ? this.#keyIds.get(subject) : subject;
    if (id === undefined) id = this.#rememberFirst(subject, await this.keyIdsIn(bookingStream(subject).stream));
    return id === undefined ? undefined : this.#words.keys.find(id);
  }

  /** All of the log up to its present end, words as they are stored. */
  async *readAll(): AsyncGenerator<readonly RecordedEvent[]> {
    const head = await this.#store.head();
    if (head === START) return;
    const { signal } = new AbortController();
    for await (const batch of this.#store.subscribe({ after: START, signal })) {
      yield batch;
      if ((batch.at(-1)?.position ?? head) >= head) return;
      // Requests get their turn.
      await setImmediate();
    }
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#store.subscribe(options);
  }

  head(): Promise<bigint> {
    return this.#store.head();
  }

  #seal<Event extends EventToAppend>(event: Event, key: WordKey | null, words?: readonly Word[]): Event {
    return { ...event, data: this.#words.sealEvent(event.type, event.data, key, words) };
  }

  #rememberFirst(subject: string, [id]: Iterable<string>): string | undefined {
    if (id !== undefined && isBooking(subject)) this.#keyIds.set(subject, id);
    return id;
  }

  /** The key of a subject, made if it has none. @param isFirst nothing was stored in its stream. */
  async #keyFor(stream: string, subject: string, isFirst: boolean, causedBy?: string): Promise<WordKey | null> {
    const { keys } = this.#words;
    const known = isFirst ? undefined : await this.findKey(subject);
    if (known !== undefined) return known;
    const accountId = causedBy ?? accountOf(await this.#store.readStream(stream));
    if (accountId === undefined) throw new Error(`nothing says whose the stream ${stream} is`);
    if (!isBooking(subject)) {
      // An account's points have a stream of their own, which begins later.
      return keys.findOrCreate(subject, accountId, isFirst && stream !== loyaltyStream(accountId).stream);
    }
    const key = await keys.pages.next(accountId);
    this.#rememberFirst(subject, key === null ? [] : [key.id]);
    return key;
  }
}

function isBooking(subject: string): boolean {
  return subject.startsWith("bkg_");
}

function nothingAttempted(cause: unknown): never {
  if (!(cause instanceof EngineUnavailable)) throw cause;
  const message = "the key of what is to be stored is out of reach";
  throw new EventStoreUnavailable(message, { outcomeUnknown: false, cause });
}

/** In the order in which they stand there. */
function keyIdsOf(events: readonly RecordedEvent[]): ReadonlySet<string> {
  return keyIdsIn(JSON.stringify(events.map(({ data }) => data)));
}

/** How many of these events have sealed words, erased ones included, and how many have plain ones. */
export async function countWords(
  batches: AsyncIterable<readonly RecordedEvent[]> | Iterable<readonly RecordedEvent[]>,
  isCounted: (event: RecordedEvent) => boolean = () => true,
): Promise<{ readonly sealed: number; readonly plain: number }> {
  let [sealed, plain] = [0, 0];
  for await (const batch of batches) {
    for (const event of batch.filter(isCounted)) {
      const words = wordsOfEvent(event);
      if (words.some(isPlain)) plain += 1;
      else if (words.length > 0) sealed += 1;
    }
  }
  return { sealed, plain };
}

const ERASED: ReadonlySet<string> = new Set(Object.values(ERASED_WORDS));

/** It was stored before words were sealed. */
function isPlain({ word }: Word): boolean {
  return !word.startsWith(MARK) && !ERASED.has(word);
}

/** Creations say whose they are in their data; of later events those that an account caused. */
function accountOf(events: readonly EventToAppend[]): string | undefined {
  for (const { data, metadata } of events) {
    const accountId = (data as { readonly accountId?: unknown }).accountId ?? metadata.accountId;
    if (typeof accountId === "string") return accountId;
  }
  return undefined;
}
