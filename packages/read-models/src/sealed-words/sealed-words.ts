import { hash } from "node:crypto";
import { canonicalEmail, ERASED_WORDS, type MapWord, mapWordsOfAnswer, mapWordsOfEvent } from "@travel-booking/domain";
import { LRUCache } from "lru-cache";
import { SubjectKeys, type SubjectKeysOptions } from "./subject-keys.ts";
import {
  isLeader,
  keyIdsIn,
  kindOf,
  MARK,
  replaceSealedWords,
  type SealedWord,
  sealedWordsIn,
  sealIdOf,
  sealWords,
  unsealWords,
  type Word,
  type WordKey,
  withSealsOnce,
} from "./word-seal.ts";

/** Of seals, about 800 bytes each. */
const MAX_OPENED = 10_000;

/** Real time: for so long at most another process may still know words or a key that were erased. */
const SHARED_FOR_MS = 5_000;

/** Of keys that words were sealed under last. */
const MAX_LAST_SEALED = 256;

/** Where an answer names what it is about: a booking, or what hangs below one, or a saved passenger. */
const SUBJECT_OF_ANSWER = /"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/;

/** The key that the words of a booking or a saved passenger are sealed under; null: it is erased; undefined: there is none. */
type FindKey = (subject: string) => Promise<WordKey | null | undefined>;

/** Words in JSON, with their kinds, and what was made of them. */
interface LastSealed {
  readonly words: string;
  readonly sealed: readonly string[];
}

interface OpenedSeal {
  readonly keyId: string;
  /** As they stand in JSON. */
  readonly words: readonly string[];
}

interface SealedWordsOptions extends SubjectKeysOptions {
  /** Whether other processes erase keys, too: what is in memory is forgotten every `SHARED_FOR_MS` then. */
  readonly shared: boolean;
}

/**
 * Seals personal words before they are stored, and reveals them where they leave the service. To everything between they
 * are texts like any other (docs/privacy.md).
 */
export class SealedWords {
  readonly keys: SubjectKeys;
  /** What a booking's is only its stream tells, so the command side puts its own here. */
  findKey: FindKey = (id) => this.keys.find(id);
  /** By seal: its words as they stand in JSON. Those that were opened last, since lists show the same ones again and again. */
  #opened = new LRUCache<string, readonly string[]>({ max: MAX_OPENED });
  /** By key: an answer that tells what was just stored is stored next. */
  readonly #lastSealed = new LRUCache<string, LastSealed>({ max: MAX_LAST_SEALED });

  constructor(options: SealedWordsOptions) {
    this.keys = new SubjectKeys(options);
    if (!options.shared) return;
    setInterval(() => {
      this.keys.forget();
      this.#forget();
    }, SHARED_FOR_MS).unref();
  }

  /**
   * The data of an event of a booking, an account or a saved passenger, sealed. A key that is erased takes no words any more.
   * @param words of the event, where they were found before.
   */
  sealEvent<Data>(type: string, data: Data, key: WordKey | null, words = wordsOfEvent({ type, data })): Data {
    return words.length === 0 ? data : this.#seal((map) => mapWordsOfEvent(type, data, map), words, key);
  }

  /** A JSON text with its words revealed, those that are erased as `ERASED_WORDS`. @throws StateStoreUnavailable */
  async reveal(json: string): Promise<string> {
    if (!json.includes(MARK)) return json;
    const words = sealedWordsIn(json);
    const leaders = words.filter(isLeader);
    const before = this.#opened;
    const keyIds = Array.from(new Set(leaders.map(({ keyId }) => keyId)));
    const keys = new Map(await Promise.all(keyIds.map(async (id) => [id, await this.keys.find(id)] as const)));
    // One of them may have been erased meanwhile.
    if (before !== this.#opened) return this.reveal(json);
    const seals = new Map<string, OpenedSeal>();
    for (const leader of leaders) {
      const id = sealIdOf(leader);
      const key = keys.get(leader.keyId);
      const words = key && !seals.has(id) && this.#open(leader, key);
      if (words) seals.set(id, { keyId: leader.keyId, words });
    }
    return replaceSealedWords(json, words, (word) => revealed(word, seals));
  }

  /** A value of JSON with its words revealed. @throws StateStoreUnavailable */
  async revealValue<Value>(value: Value): Promise<Value> {
    const json = JSON.stringify(value);
    return json?.includes(MARK) ? JSON.parse(await this.reveal(json)) : value;
  }

  /** The JSON of an answer as it may be stored: `reveal` makes the same of it. @throws what `findKey` throws. */
  async sealAnswer(json: string): Promise<string> {
    const [, digits, passengerId] = SUBJECT_OF_ANSWER.exec(json) ?? [];
    const subject = digits === undefined ? passengerId : `bkg_${digits}`;
    if (subject === undefined) return json;
    const body: unknown = JSON.parse(json);
    const map = (mapWord: MapWord) => mapWordsOfAnswer(body, mapWord);
    const words = wordsIn(map);
    if (words.length === 0) return json;
    const key = await this.findKey(subject);
    // Made before there were keys.
    if (key === undefined) return json;
    return withSealsOnce(JSON.stringify(this.#seal(map, words, key)));
  }

  /**
   * A text about somebody that `json` has sealed words of, sealed under the key of the first. Undefined: it has none, or the key
   * is erased. @throws StateStoreUnavailable
   */
  async sealBeside(json: string, text: string): Promise<string | undefined> {
    const [keyId] = keyIdsIn(json);
    const key = keyId === undefined ? undefined : await this.keys.find(keyId);
    return key ? sealWords(key, [{ word: text, kind: "text", leads: true }])[0] : undefined;
  }

  /** Names an e-mail address inside its account, the same whatever its case. @throws StateStoreUnavailable */
  emailKey(accountId: string, email: string): Promise<string> {
    return this.keys.emailKey(accountId, canonicalEmail(email));
  }

  /** Tells requests of an account apart, as `fingerprint` does, and says nothing of them. @throws StateStoreUnavailable */
  requestKey(accountId: string, fingerprint: string): Promise<string> {
    return this.keys.requestKey(accountId, fingerprint);
  }

  /** Destroys a key, with that of an account those of all it has. Durable when it resolves. */
  async erase(keyId: string): Promise<void> {
    await this.keys.erase(keyId);
    this.#forget();
  }

  #forget(): void {
    this.#opened = new LRUCache({ max: MAX_OPENED });
    this.#lastSealed.clear();
  }

  /** Seals the words that `map` maps. @param found these. */
  #seal<Value>(map: (mapWord: MapWord) => Value, found: readonly Word[], key: WordKey | null): Value {
    if (key === null) return map((_, kind) => ERASED_WORDS[kind]);
    const words = JSON.stringify(found);
    let last = this.#lastSealed.get(key.id);
    if (last?.words !== words) {
      last = { words, sealed: inGroups(found).flatMap((group) => sealWords(key, group)) };
      this.#lastSealed.set(key.id, last);
    }
    const { sealed } = last;
    let next = 0;
    return map(() => sealed[next++] as string);
  }

  /** The words of the seal that this one carries; undefined: it is as lost as one whose key is erased. */
  #open(leader: SealedWord, key: WordKey): readonly string[] | undefined {
    const { keyId, letters, seal } = leader;
    // A piece of the answer's text would keep all of it in memory.
    const name = hash("sha256", `${keyId}.${letters}.${seal}`, "base64url");
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const words = unsealWords(key, leader)?.map((word) => JSON.stringify(word).slice(1, -1));
    if (words !== undefined) this.#opened.set(name, words);
    return words;
  }
}

/** What stands in JSON for a sealed word. */
function revealed(word: SealedWord, seals: ReadonlyMap<string, OpenedSeal>): string {
  const seal = seals.get(sealIdOf(word));
  const opened = seal?.keyId === word.keyId ? seal.words[word.number] : undefined;
  if (opened !== undefined) return opened;
  const kind = kindOf(word);
  return kind === undefined ? word.text : ERASED_WORDS[kind];
}

/** The personal words in the data of an event, in their order. */
export function wordsOfEvent({ type, data }: { readonly type: string; readonly data: unknown }): readonly Word[] {
  return wordsIn((map) => mapWordsOfEvent(type, data, map));
}

function wordsIn(map: (mapWord: MapWord) => unknown): readonly Word[] {
  const words: Word[] = [];
  map((word, kind, leads) => {
    words.push({ word, kind, leads });
    return word;
  });
  return words;
}

/** Each unit carries the seal of its group, so a large group would take its size times its size. */
const MAX_UNITS = 3;

function inGroups(words: readonly Word[]): readonly (readonly Word[])[] {
  const groups: Word[][] = [];
  let units = 0;
  for (const word of words) {
    if (word.leads && units++ % MAX_UNITS === 0) groups.push([]);
    groups.at(-1)?.push(word);
  }
  return groups;
}
