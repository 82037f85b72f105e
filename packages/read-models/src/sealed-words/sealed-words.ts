import { ANSWER_WORDS, erase, mapWordsOfEvent } from "@travel-booking/domain";
import { formerKeyIds, isFormerWord, openFormerWords } from "./former-words.ts";
import { blockOf, openJson, sealJson, wordsOf } from "./sealed-json.ts";
import { SubjectKeys, type SubjectKeysOptions } from "./subject-keys.ts";
import { keyIdOf, PLACE, putBack, sealBlock, type TakenApart, takeApart, type WordKey } from "./word-block.ts";

/** Where an answer names what it is about: a booking, or what hangs below one, or a saved passenger. */
const SUBJECT_OF_ANSWER = /"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/;

/** The key that the words of a booking or a saved passenger are sealed under; null: it is erased; undefined: there is none. */
type FindKey = (subject: string) => Promise<WordKey | null | undefined>;

/** What is sealed of an event of the log. */
export interface EventWithWords {
  readonly type: string;
  readonly data: unknown;
  readonly sealed?: string;
}

type Keys = ReadonlyMap<string, WordKey | null>;

/** Takes personal words out of what is stored, and seals them beside it; puts them back in what is read (docs/privacy.md). */
export class SealedWords {
  readonly keys: SubjectKeys;
  /** What a booking's is only its stream tells, so the command side puts its own here. */
  findKey: FindKey = (id) => this.keys.find(id);

  constructor(options: SubjectKeysOptions) {
    this.keys = new SubjectKeys(options);
  }

  /**
   * An event of a booking, an account or a saved passenger as it is stored.
   * @param key null: it is erased, and takes no words any more.
   * @param taken of the event, where it was taken apart before.
   */
  sealEvent<Event extends EventWithWords>(event: Event, key: WordKey | null, taken = takeEventApart(event)): Event {
    const { rest, words } = taken;
    if (words.length === 0) return event;
    if (key === null) return { ...event, data: mapWordsOfEvent(event.type, event.data, erase) };
    return { ...event, data: rest, sealed: sealBlock(key, words) };
  }

  /**
   * Events as they were before `sealEvent`; `sealed` stays, and tells their key (`keyIdOf`). @throws StateStoreUnavailable
   */
  async openEvents<Event extends EventWithWords>(events: readonly Event[]): Promise<readonly Event[]> {
    const keyIds = events.map(keyIdsOfEvent);
    if (keyIds.every(({ length }) => length === 0)) return events;
    const keys = await this.#find(keyIds.flat());
    return events.map((event, index) => openEvent(event, keyIds[index]?.[0], keys));
  }

  /** Batches of a log, opened. @throws StateStoreUnavailable */
  async *openBatches<Event extends EventWithWords>(batches: AsyncIterable<readonly Event[]>) {
    for await (const batch of batches) yield await this.openEvents(batch);
  }

  /** A text about somebody, sealed under the key of this id; undefined: it is erased. @throws StateStoreUnavailable */
  async sealText(text: string, keyId: string | undefined): Promise<string | undefined> {
    const key = keyId === undefined ? undefined : await this.find(keyId);
    return key ? sealJson("text", text, key) : undefined;
  }

  /** A text of `sealText`, also of a former release. @throws StateStoreUnavailable */
  async openText(text: string): Promise<string> {
    return JSON.parse(
      await this.openAnswer(text.startsWith(PLACE) && text.includes("\n") ? text : JSON.stringify(text)),
    );
  }

  /** A text of `sealJson`. @throws StateStoreUnavailable */
  async openJson(text: string): Promise<string> {
    const block = blockOf(text);
    if (block === undefined) return text;
    const key = block === "" ? null : await this.find(keyIdOf(block));
    return openJson(text, block, wordsOf(block, key));
  }

  /** The JSON of an answer as it is kept: behind the mark, whether it has words or not. @throws what `findKey` throws. */
  async sealAnswer(json: string): Promise<string> {
    const [, digits, passengerId] = SUBJECT_OF_ANSWER.exec(json) ?? [];
    const subject = digits === undefined ? passengerId : `bkg_${digits}`;
    const key = subject === undefined ? undefined : await this.findKey(subject);
    // Where there is none, it was made before there were keys.
    const text = key === undefined ? json : sealJson(ANSWER_WORDS, JSON.parse(json), key);
    return text.startsWith(PLACE) ? text : `${PLACE}\n${text}`;
  }

  /** The JSON of a kept answer, also of one that a former release kept. @throws StateStoreUnavailable */
  async openAnswer(text: string): Promise<string> {
    // Only former releases refused texts in which somebody could have put a former word.
    if (text.startsWith(PLACE)) return this.openJson(text);
    return openFormerWords(text, await this.#find([...formerKeyIds(text)]));
  }

  /** A key; null: it is erased, or lost. @throws StateStoreUnavailable */
  async find(keyId: string): Promise<WordKey | null> {
    return (await this.keys.find(keyId)) ?? null;
  }

  async #find(keyIds: readonly string[]): Promise<Keys> {
    const found = Array.from(new Set(keyIds), async (id) => [id, await this.find(id)] as const);
    return new Map(await Promise.all(found));
  }
}

/** None where it has no words; of one that a former release sealed perhaps several. */
export function keyIdsOfEvent({ type, data, sealed }: EventWithWords): readonly string[] {
  if (sealed !== undefined) return [keyIdOf(sealed)];
  return hasFormerWords(type, data) ? [...formerKeyIds(JSON.stringify(data))] : [];
}

function hasFormerWords(type: string, data: unknown): boolean {
  let found = false;
  mapWordsOfEvent(type, data, (word) => {
    found ||= isFormerWord(word);
    return word;
  });
  return found;
}

/** @param keyId the first of its keys; undefined: it has no words. */
function openEvent<Event extends EventWithWords>(event: Event, keyId: string | undefined, keys: Keys): Event {
  if (keyId === undefined) return event;
  const { type, data, sealed } = event;
  if (sealed !== undefined) return { ...event, data: mapWordsOfEvent(type, data, putBack(sealed, keys.get(keyId))) };
  return { ...event, data: JSON.parse(openFormerWords(JSON.stringify(data), keys)), sealed: `${keyId}..` };
}

/** The data of an event with places for its personal words, and these in their order. */
export function takeEventApart({ type, data }: EventWithWords): TakenApart<unknown> {
  return takeApart((map) => mapWordsOfEvent(type, data, map));
}
