import { setImmediate } from "node:timers/promises";
import { ERASED_WORDS, saysWordsLeft, subjectOfStream } from "@travel-booking/domain";
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
  isFormerWord,
  keyIdsOfEvent,
  type SealedWords,
  takeEventApart,
  type WordKey,
} from "@travel-booking/read-models/sealed-words";
import { LRUCache } from "lru-cache";
import { bookingStream, loyaltyStream } from "../streams.ts";
import { inTurns } from "./in-turns.ts";

/** Key ids in memory, of the bookings read or made last. Each takes about 150 bytes. */
const MAX_KEY_IDS = 50_000;

/** The event store as the command handler needs it. */
export interface CommandStore extends Pick<EventStore, "singleWriter" | "readStream"> {
  /** As `EventStore.append`. Also returns the number of sealed characters. */
  append(...args: Parameters<EventStore["append"]>): Promise<AppendResult & { readonly sealed?: number }>;
}

/** The event store with open words. Words are sealed when events are stored, and put back when events are read. */
export class SealedEventStore implements CommandStore {
  readonly #store: EventStore;
  readonly #words: SealedWords;
  /** By booking id, the id of the newest key of its words. */
  readonly #keyIds = new LRUCache<string, string>({ max: MAX_KEY_IDS });

  constructor(store: EventStore, words: SealedWords) {
    this.#store = store;
    this.#words = words;
  }

  /** The log with sealed words, because counting them needs no key. */
  get asStored(): EventStore {
    return this.#store;
  }

  get singleWriter(): boolean {
    return this.#store.singleWriter;
  }

  /** As `EventStore.append`. @throws EventStoreUnavailable also if the key is out of reach. Then nothing was tried. */
  async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    onOrdered?: (result: AppendResult) => void,
  ): ReturnType<CommandStore["append"]> {
    const subject = subjectOfStream(stream);
    const taken = subject === undefined ? [] : events.map(takeEventApart);
    if (subject === undefined || taken.every(({ words }) => words.length === 0)) {
      return this.#store.append(stream, expectedRevision, events, onOrdered);
    }
    const isFirst = expectedRevision === NO_STREAM;
    let key = await this.#keyFor(stream, subject, isFirst, accountOf(events)).catch(nothingAttempted);
    const sealed: EventToAppend[] = [];
    for (const [index, event] of events.entries()) {
      // What is left of the booking's words gets a new key, because the one of before is destroyed.
      if (saysWordsLeft(event.type)) key = await this.#newKey(stream, subject).catch(nothingAttempted);
      sealed.push(this.#words.sealEvent(event, key, taken[index]));
    }
    try {
      const result = await this.#store.append(stream, expectedRevision, sealed, onOrdered);
      return { ...result, sealed: sealed.reduce((sum, event) => sum + (event.sealed?.length ?? 0), 0) };
    } catch (error) {
      // Another process may have stored the booking first, under another key.
      this.#keyIds.delete(subject);
      throw error;
    }
  }

  async readStream(stream: string, fromRevision?: number, most?: number): Promise<readonly RecordedEvent[]> {
    const events = await this.#store.readStream(stream, fromRevision, most);
    const subject = subjectOfStream(stream);
    if (subject === undefined) return events;
    if (most === undefined || events.length < most) this.#rememberKey(subject, newestKeyIdOf(events));
    const opened: RecordedEvent[] = [];
    for await (const some of inTurns(events)) opened.push(...(await this.#words.openEvents(some)));
    return opened;
  }

  /**
   * An event that was stored before words were sealed, in the form of today; any other event as it is.
   * @param isErased whether the subject of a stream is erased.
   */
  async seal(event: RecordedEvent, isErased: (subject: string) => boolean): Promise<RecordedEvent> {
    const subject = subjectOfStream(event.stream);
    if (subject === undefined || !hasPlainWords(event)) return event;
    const key = isErased(subject) ? null : await this.#keyFor(event.stream, subject, false, accountOf([event]));
    return this.#words.sealEvent(event, key);
  }

  /** The keys of the words in a stream, the newest last. */
  async keyIdsIn(stream: string): Promise<ReadonlySet<string>> {
    return new Set((await this.#store.readStream(stream)).flatMap(keyIdsOfEvent));
  }

  /** The key for the files of a booking; null: erased. @throws EventStoreUnavailable, StateStoreUnavailable */
  keyForFiles(bookingId: string, accountId: string): Promise<WordKey | null> {
    return this.#keyFor(bookingStream(bookingId).stream, bookingId, false, accountId);
  }

  /**
   * The newest key of the words of a booking, a saved passenger or an account; undefined: no words are sealed.
   * @throws EventStoreUnavailable, StateStoreUnavailable
   */
  async findKey(subject: string): Promise<WordKey | null | undefined> {
    const { keys } = this.#words;
    if (!isBooking(subject)) return keys.find(subject);
    const known = this.#keyIds.get(subject);
    // An erased key may have a successor.
    const key = known === undefined ? null : await keys.find(known);
    if (key) return key;
    const id = newestKeyIdOf(await this.#store.readStream(bookingStream(subject).stream));
    this.#rememberKey(subject, id);
    return id === undefined ? undefined : keys.find(id);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.#words.openBatches(this.#store.subscribe(options));
  }

  head(): Promise<bigint> {
    return this.#store.head();
  }

  #rememberKey(subject: string, id: string | undefined): void {
    if (id !== undefined && isBooking(subject)) this.#keyIds.set(subject, id);
  }

  /** The key of a subject. It is made if it is missing. @param isFirst nothing was stored in its stream. */
  async #keyFor(stream: string, subject: string, isFirst: boolean, causedBy?: string): Promise<WordKey | null> {
    const known = isFirst ? undefined : await this.findKey(subject);
    return known === undefined ? this.#newKey(stream, subject, isFirst, causedBy) : known;
  }

  async #newKey(stream: string, subject: string, isFirst = false, causedBy?: string): Promise<WordKey | null> {
    const { keys } = this.#words;
    const accountId = causedBy ?? accountOf(await this.#store.readStream(stream));
    if (accountId === undefined) throw new Error(`nothing says whose the stream ${stream} is`);
    if (!isBooking(subject)) {
      // The stream of an account's points begins later than that of the account.
      return keys.findOrCreate(subject, accountId, isFirst && stream !== loyaltyStream(accountId).stream);
    }
    const key = await keys.pages.next(accountId);
    this.#rememberKey(subject, key?.id);
    return key;
  }
}

/** Reads the whole log up to its present end. */
export async function* readAll(
  store: Pick<EventStore, "subscribe" | "head">,
): AsyncGenerator<readonly RecordedEvent[]> {
  const head = await store.head();
  if (head === START) return;
  const { signal } = new AbortController();
  for await (const batch of store.subscribe({ after: START, signal })) {
    yield batch;
    if ((batch.at(-1)?.position ?? head) >= head) return;
    // Requests get their turn.
    await setImmediate();
  }
}

function newestKeyIdOf(events: readonly RecordedEvent[]): string | undefined {
  const last = events.findLast((event) => keyIdsOfEvent(event).length > 0);
  return last && keyIdsOfEvent(last)[0];
}

function isBooking(subject: string): boolean {
  return subject.startsWith("bkg_");
}

function nothingAttempted(cause: unknown): never {
  if (!(cause instanceof EngineUnavailable)) throw cause;
  const message = "the key of what is to be stored is out of reach";
  throw new EventStoreUnavailable(message, { outcomeUnknown: false, cause });
}

/** How many of these events have sealed words, including erased ones, and how many have plain words. */
export async function countWords(
  batches: AsyncIterable<readonly RecordedEvent[]> | Iterable<readonly RecordedEvent[]>,
  isCounted: (event: RecordedEvent) => boolean = () => true,
): Promise<{ readonly sealed: number; readonly plain: number }> {
  let [sealed, plain] = [0, 0];
  for await (const batch of batches) {
    for (const event of batch.filter(isCounted)) {
      if (hasPlainWords(event)) plain += 1;
      else if (hasWords(event)) sealed += 1;
    }
  }
  return { sealed, plain };
}

const ERASED: ReadonlySet<string> = new Set(Object.values(ERASED_WORDS));

function hasWords(event: EventToAppend): boolean {
  return takeEventApart(event).words.length > 0;
}

/** Whether an event with words was stored before words were sealed. */
function hasPlainWords(event: EventToAppend): boolean {
  if (event.sealed !== undefined) return false;
  return takeEventApart(event).words.some(({ word }) => !isFormerWord(word) && !ERASED.has(word));
}

/** The account of the events. A first event names it in its data, a later one if the account caused it. */
function accountOf(events: readonly EventToAppend[]): string | undefined {
  for (const { data, metadata } of events) {
    const accountId = (data as { readonly accountId?: unknown }).accountId ?? metadata.accountId;
    if (typeof accountId === "string") return accountId;
  }
  return undefined;
}
