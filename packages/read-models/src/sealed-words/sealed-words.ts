import type { KeyObject } from "node:crypto";
import { canonicalEmail, ERASED_WORDS, type MapWord, mapWordsOfAnswer, type WordKind } from "@travel-booking/domain";
import { LRUCache } from "lru-cache";
import { type SubjectKey, SubjectKeys, type SubjectKeysOptions } from "./subject-keys.ts";
import { kindOfLetter, MARK, SEALED_WORD, sealWord, unsealWord } from "./word-seal.ts";

/** Words in memory, about 300 bytes each. */
const MAX_WORDS = 20_000;

/** Where an answer names what it is about: a booking, or what hangs below one, or a saved passenger. */
const SUBJECT_OF_ANSWER = /"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/;

/**
 * Seals personal words before they are stored, and reveals them where they leave the service. To everything between they
 * are texts like any other (docs/privacy.md).
 */
export class SealedWords {
  readonly keys: SubjectKeys;
  /** The words of sealed words that were seen last: lists show the same ones again and again. */
  readonly #known = new LRUCache<string, string>({ max: MAX_WORDS });
  /** The other way round, by subject, kind and word: an answer has the words of its event. */
  readonly #sealed = new LRUCache<string, string>({ max: MAX_WORDS });

  constructor(options: SubjectKeysOptions) {
    this.keys = new SubjectKeys(options);
  }

  /** Seals words of this subject. A subject whose key is erased takes no words any more. */
  sealing(subject: string, key: SubjectKey): MapWord {
    return (word, kind) => (key === null ? ERASED_WORDS[kind] : this.#seal(key, subject, word, kind));
  }

  /** Opens the sealed words of this subject; any other text stays as it is. */
  opening(subject: string, key: SubjectKey): MapWord {
    return (word) => {
      if (!word.startsWith(MARK)) return word;
      return word.replace(SEALED_WORD, (sealed, of: string, letter: string, seal: string) =>
        of === subject ? this.#open(key, subject, letter, seal, sealed) : sealed,
      );
    };
  }

  /**
   * A JSON text with its words revealed, those that are erased as `ERASED_WORDS`. A promise only where a key has to be
   * looked up. @throws StateStoreUnavailable
   */
  reveal(json: string): string | Promise<string> {
    if (!json.includes(MARK)) return json;
    const missing = new Set<string>();
    for (const [, subject = ""] of json.matchAll(SEALED_WORD)) {
      if (this.keys.cached(subject) === undefined) missing.add(subject);
    }
    return missing.size === 0 ? this.#revealWith(json, new Map()) : this.#lookUpAndReveal(json, missing);
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
    return JSON.stringify(mapWordsOfAnswer(JSON.parse(json), this.sealing(subject, key)));
  }

  /** Names an e-mail address inside its account, the same whatever its case. @throws StateStoreUnavailable */
  emailKey(accountId: string, email: string): Promise<string> {
    return this.keys.emailKey(accountId, canonicalEmail(email));
  }

  /** Destroys the key of a subject, of an account those of all it has. Durable when it resolves. */
  async erase(subject: string): Promise<void> {
    await this.keys.erase(subject);
    this.#known.clear();
    this.#sealed.clear();
  }

  async #lookUpAndReveal(json: string, missing: ReadonlySet<string>): Promise<string> {
    const found = await Promise.all(
      Array.from(missing, async (subject) => [subject, (await this.keys.find(subject)) ?? null] as const),
    );
    return this.#revealWith(json, new Map(found));
  }

  #revealWith(json: string, found: ReadonlyMap<string, SubjectKey>): string {
    return json.replace(SEALED_WORD, (sealed, subject: string, letter: string, seal: string) => {
      const key = found.get(subject) ?? this.keys.cached(subject) ?? null;
      const word = this.#open(key, subject, letter, seal, sealed);
      return word === sealed ? sealed : JSON.stringify(word).slice(1, -1);
    });
  }

  #seal(key: KeyObject, subject: string, word: string, kind: WordKind): string {
    const name = `${subject}.${kind}.${word}`;
    const sealed = this.#sealed.get(name) ?? sealWord(key, subject, word, kind);
    this.#sealed.set(name, sealed);
    this.#known.set(sealed, word);
    return sealed;
  }

  /** A seal of another key is as lost as one whose key is erased. */
  #open(key: SubjectKey, subject: string, letter: string, seal: string, sealed: string): string {
    const kind = kindOfLetter(letter);
    if (kind === undefined) return sealed;
    if (key === null) return ERASED_WORDS[kind];
    const known = this.#known.get(sealed);
    if (known !== undefined) return known;
    const word = unsealWord(key, subject, letter, seal);
    if (word === undefined) return ERASED_WORDS[kind];
    this.#known.set(sealed, word);
    return word;
  }
}
