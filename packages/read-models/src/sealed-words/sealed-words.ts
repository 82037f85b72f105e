import { canonicalEmail, ERASED_WORDS, type MapWord, mapWordsOfAnswer, mapWordsOfEvent } from "@travel-booking/domain";
import { LRUCache } from "lru-cache";
import { type SubjectKey, SubjectKeys, type SubjectKeysOptions } from "./subject-keys.ts";
import { isWholeSeal, kindOf, MARK, SEALED_WORD, sealIdOf, sealWords, unsealWords, type Word } from "./word-seal.ts";

/** Of seals, about 500 bytes each. */
const MAX_OPENED = 10_000;

/** Where an answer names what it is about: a booking, or what hangs below one, or a saved passenger. */
const SUBJECT_OF_ANSWER = /"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/;

type KeyOf = (subject: string) => SubjectKey;

/**
 * Seals personal words before they are stored, and reveals them where they leave the service. To everything between they
 * are texts like any other (docs/privacy.md).
 */
export class SealedWords {
  readonly keys: SubjectKeys;
  /** The words of seals that were opened last: lists show the same ones again and again. */
  readonly #opened = new LRUCache<string, readonly string[]>({ max: MAX_OPENED });

  constructor(options: SubjectKeysOptions) {
    this.keys = new SubjectKeys(options);
  }

  /** The data of an event, sealed. A subject whose key is erased takes no words any more. */
  sealEvent<Data>(type: string, data: Data, subject: string, key: SubjectKey): Data {
    return seal((map) => mapWordsOfEvent(type, data, map), subject, key);
  }

  /** The data of an event that `sealEvent` made; any other as it is. */
  openEvent<Data>(type: string, data: Data, subject: string, key: SubjectKey): Data {
    const found: RegExpExecArray[] = [];
    mapWordsOfEvent(type, data, (text) => {
      found.push(...sealedWordsIn(text));
      return text;
    });
    const open = this.#opener(found, (of) => (of === subject ? key : null));
    return found.length === 0 ? data : mapWordsOfEvent(type, data, (text) => text.replace(SEALED_WORD, open));
  }

  /**
   * A JSON text with its words revealed, those that are erased as `ERASED_WORDS`. A promise only where a key has to be
   * looked up. @throws StateStoreUnavailable
   */
  reveal(json: string): string | Promise<string> {
    const found = sealedWordsIn(json);
    if (found.length === 0) return json;
    const missing = new Set<string>();
    for (const [, subject = ""] of found) if (this.keys.cached(subject) === undefined) missing.add(subject);
    if (missing.size > 0) return this.#lookUpAndReveal(json, found, missing);
    return this.#replace(json, found, (subject) => this.keys.cached(subject) ?? null);
  }

  /** A value of JSON with its words revealed. @throws StateStoreUnavailable */
  async revealValue<Value>(value: Value): Promise<Value> {
    const json = JSON.stringify(value);
    return json?.includes(MARK) ? JSON.parse(await this.reveal(json)) : value;
  }

  /** The JSON of an answer as it may be stored: `reveal` makes the same of it. @throws StateStoreUnavailable */
  async sealAnswer(json: string): Promise<string> {
    const [, digits, passengerId] = SUBJECT_OF_ANSWER.exec(json) ?? [];
    const subject = digits === undefined ? passengerId : `bkg_${digits}`;
    if (subject === undefined) return json;
    const key = this.keys.cached(subject) ?? (await this.keys.find(subject));
    // Made before there were keys.
    if (key === undefined) return json;
    const body: unknown = JSON.parse(json);
    return JSON.stringify(seal((map) => mapWordsOfAnswer(body, map), subject, key));
  }

  /** Names an e-mail address inside its account, the same whatever its case. @throws StateStoreUnavailable */
  emailKey(accountId: string, email: string): Promise<string> {
    return this.keys.emailKey(accountId, canonicalEmail(email));
  }

  /** Destroys the key of a subject, of an account those of all it has. Durable when it resolves. */
  async erase(subject: string): Promise<void> {
    await this.keys.erase(subject);
    this.#opened.clear();
  }

  async #lookUpAndReveal(json: string, found: readonly RegExpExecArray[], missing: ReadonlySet<string>) {
    const looked = Array.from(missing, async (subject) => [subject, (await this.keys.find(subject)) ?? null] as const);
    const keys = new Map(await Promise.all(looked));
    return this.#replace(json, found, (subject) => keys.get(subject) ?? this.keys.cached(subject) ?? null);
  }

  #replace(json: string, found: readonly RegExpExecArray[], keyOf: KeyOf): string {
    const open = this.#opener(found, keyOf);
    return json.replace(SEALED_WORD, (...groups) => JSON.stringify(open(...groups)).slice(1, -1));
  }

  /** What opens these sealed words. One of another key is as lost as one whose key is erased. */
  #opener(found: readonly RegExpExecArray[], keyOf: KeyOf) {
    const opened = new Map<string, readonly string[]>();
    for (const [, subject = "", letters = "", , seal = ""] of found) {
      const id = `${subject}.${sealIdOf(seal)}`;
      const key = isWholeSeal(seal) && !opened.has(id) ? keyOf(subject) : null;
      const words = key && this.#open(key, subject, letters, seal);
      if (words) opened.set(id, words);
    }
    return (sealed: string, ...[subject, letters = "", number, seal = ""]: readonly string[]): string => {
      const kind = kindOf(letters, Number(number));
      return (
        opened.get(`${subject}.${sealIdOf(seal)}`)?.[Number(number)] ??
        (kind === undefined ? sealed : ERASED_WORDS[kind])
      );
    };
  }

  #open(key: string, subject: string, letters: string, seal: string): readonly string[] | undefined {
    const name = `${subject}.${letters}.${seal}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const words = unsealWords(key, subject, letters, seal);
    if (words !== undefined) this.#opened.set(name, words);
    return words;
  }
}

function sealedWordsIn(text: string): readonly RegExpExecArray[] {
  return text.includes(MARK) ? [...text.matchAll(SEALED_WORD)] : [];
}

/** Seals all words together that `map` maps. */
function seal<Value>(map: (mapWord: MapWord) => Value, subject: string, key: SubjectKey): Value {
  if (key === null) return map((_, kind) => ERASED_WORDS[kind]);
  const words: Word[] = [];
  const same = map((word, kind, leads) => {
    words.push({ word, kind, leads });
    return word;
  });
  if (words.length === 0) return same;
  const sealed = sealWords(key, subject, words);
  let next = 0;
  return map(() => sealed[next++] as string);
}
