import { ANSWER_WORDS, erase, mapWordsOfEvent } from "@travel-booking/domain";
import { formerKeyIds, isFormerWord, openFormerWords } from "./former-words.ts";
import { blockOf, openJson, sealJson, wordsOf } from "./sealed-json.ts";
import { SubjectKeys, type SubjectKeysOptions } from "./subject-keys.ts";
import { keyIdOf, PLACE, putBack, sealBlock, type TakenApart, takeApart, type WordKey } from "./word-block.ts";

/** Where an answer names its subject: a booking, a thing below a booking, or a saved passenger. */
const SUBJECT_OF_ANSWER = /"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/;

/** Finds the key of the words of a booking or saved passenger; null: it is erased; undefined: there is no key. */
type FindKey = (subject: string) => Promise<WordKey | null | undefined>;

/** The parts of an event that concern sealing. */
export interface EventWithWords {
  readonly type: string;
  readonly data: unknown;
  readonly sealed?: string;
}

type Keys = ReadonlyMap<string, WordKey | null>;

/** Takes personal words out of stored data, seals them beside it, and puts them back when read (docs/privacy.md). */
export class SealedWords {
  readonly keys: SubjectKeys;
  /** The key of a booking is known only from its stream, so the command side sets its own function here. */
  findKey: FindKey = (id) => this.keys.find(id);

  constructor(options: SubjectKeysOptions) {
    this.keys = new SubjectKeys(options);
  }

  /**
   * The stored form of an event of a booking, an account or a saved passenger.
   * @param key null: the key is erased, and seals no more words.
   * @param taken the words of the event, if it was taken apart before.
   */
  sealEvent<Event extends EventWithWords>(event: Event, key: WordKey | null, taken = takeEventApart(event)): Event {
    const { rest, words } = taken;
    if (words.length === 0) return event;
    if (key === null) return { ...event, data: mapWordsOfEvent(event.type, event.data, erase) };
    return { ...event, data: rest, sealed: sealBlock(key, words) };
  }

  /**
   * Events as before `sealEvent`. `sealed` stays, because it names the key (`keyIdOf`). @throws StateStoreUnavailable
   */
  async openEvents<Event extends EventWithWords>(events: readonly Event[]): Promise<readonly Event[]> {
    const keyIds = events.map(keyIdsOfEvent);
    if (keyIds.every(({ length }) => length === 0)) return events;
    const keys = await this.#find(keyIds.flat());
    return events.map((event, index) => openEvent(event, keyIds[index]?.[0], keys));
  }

  /** Opens the batches of a log. @throws StateStoreUnavailable */
  async *openBatches<Event extends EventWithWords>(batches: AsyncIterable<readonly Event[]>) {
    for await (const batch of batches) yield await this.openEvents(batch);
  }

  /** Seals a text about a person under this key; undefined if it is erased. @throws StateStoreUnavailable */
  async sealText(text: string, keyId: string | undefined): Promise<string | undefined> {
    const key = keyId === undefined ? undefined : await this.find(keyId);
    return key ? sealJson("text", text, key) : undefined;
  }

  /** Opens a text of `sealText`, also of a former release. @throws StateStoreUnavailable */
  async openText(text: string): Promise<string> {
    return JSON.parse(
      await this.openAnswer(text.startsWith(PLACE) && text.includes("\n") ? text : JSON.stringify(text)),
    );
  }

  /** Opens a text of `sealJson`. @throws StateStoreUnavailable */
  async openJson(text: string): Promise<string> {
    const block = blockOf(text);
    if (block === undefined) return text;
    const key = block === "" ? null : await this.find(keyIdOf(block));
    return openJson(text, block, wordsOf(block, key));
  }

  /** The stored form of an answer's JSON. It follows the mark even without words. @throws the errors of `findKey`. */
  async sealAnswer(json: string): Promise<string> {
    const [, digits, passengerId] = SUBJECT_OF_ANSWER.exec(json) ?? [];
    const subject = digits === undefined ? passengerId : `bkg_${digits}`;
    const key = subject === undefined ? undefined : await this.findKey(subject);
    // If there is no key, the subject was made before there were keys.
    const text = key === undefined ? json : sealJson(ANSWER_WORDS, JSON.parse(json), key);
    return text.startsWith(PLACE) ? text : `${PLACE}\n${text}`;
  }

  /** Opens the JSON of a kept answer, also from a former release. @throws StateStoreUnavailable */
  async openAnswer(text: string): Promise<string> {
    // Only former releases refused texts with former words in them, so only their answers may be searched for these.
    if (text.startsWith(PLACE)) return this.openJson(text);
    return openFormerWords(text, await this.#find([...formerKeyIds(text)]));
  }

  /** Finds a key; null: it is erased or lost. @throws StateStoreUnavailable */
  async find(keyId: string): Promise<WordKey | null> {
    return (await this.keys.find(keyId)) ?? null;
  }

  async #find(keyIds: readonly string[]): Promise<Keys> {
    const found = Array.from(new Set(keyIds), async (id) => [id, await this.find(id)] as const);
    return new Map(await Promise.all(found));
  }
}

/** The key ids of an event: none without words, perhaps several if a former release sealed it. */
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

/** @param keyId the first key of the event; undefined: it has no words. */
function openEvent<Event extends EventWithWords>(event: Event, keyId: string | undefined, keys: Keys): Event {
  if (keyId === undefined) return event;
  const { type, data, sealed } = event;
  if (sealed !== undefined) return { ...event, data: mapWordsOfEvent(type, data, putBack(sealed, keys.get(keyId))) };
  return { ...event, data: JSON.parse(openFormerWords(JSON.stringify(data), keys)), sealed: `${keyId}..` };
}

/** The data of an event with places for its personal words, and the words in their order. */
export function takeEventApart({ type, data }: EventWithWords): TakenApart<unknown> {
  return takeApart((map) => mapWordsOfEvent(type, data, map));
}
