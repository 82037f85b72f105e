import { hash } from "node:crypto";
import { canonicalEmail, ERASED_WORDS, type MapWord, mapWordsOfAnswer, mapWordsOfEvent } from "@travel-booking/domain";
import { RecentMap } from "@travel-booking/runtime/recent-map";
import { LRUCache } from "lru-cache";
import { SubjectKeys, type SubjectKeysOptions } from "./subject-keys.ts";
import {
  isLeader,
  kindOf,
  MARK,
  parseSealedWord,
  type SealedWord,
  type SubjectKey,
  sealWords,
  textOf,
  unsealWords,
  type Word,
  type WordKey,
  withSealsOnce,
} from "./word-seal.ts";

/** Of seals, about 800 bytes each. */
const MAX_OPENED = 10_000;

/** Real time: for so long at most another process may still know words or a key that were erased. */
const SHARED_FOR_MS = 5_000;

/** Of bookings whose words were sealed last: an answer that tells them is stored next. */
const MAX_LAST_SEALED = 256;

/** Where an answer names what it is about: a booking, or what hangs below one, or a saved passenger. */
const SUBJECT_OF_ANSWER = /"(?:id|bookingId|paymentId)":"(?:(?:bkg|pay|rfd|doc)_([0-9a-f]{32})|(psg_[0-9a-f]{32})")/;

type KeyOf = (keyId: string) => SubjectKey;

/** The key that the words of a booking or a saved passenger are sealed under; undefined: there is none. */
export type FindKey = (subject: string) => Promise<WordKey | undefined>;

/** Words as they were, in JSON, and what was made of them. */
interface LastSealed {
  readonly words: string;
  readonly sealed: readonly string[];
}

/** The words of a seal; `inJson`: as they stand in a text of JSON. */
interface Opened {
  readonly words: readonly string[];
  readonly inJson: readonly string[];
}

/** By seal id, with whose they are. */
type OpenedSeals = ReadonlyMap<string, Opened & { readonly keyId: string }>;

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
  findKey: FindKey = async (id) => {
    const key = await this.keys.find(id);
    return typeof key === "string" ? { id, key } : key;
  };
  /** The words of seals that were opened last: lists show the same ones again and again. */
  readonly #opened = new LRUCache<string, Opened>({ max: MAX_OPENED });
  #erasures = 0;
  #lastSealed = new RecentMap<LastSealed>(MAX_LAST_SEALED);

  constructor(options: SealedWordsOptions) {
    this.keys = new SubjectKeys(options);
    if (!options.shared) return;
    setInterval(() => {
      this.keys.forget();
      this.#forget();
    }, SHARED_FOR_MS).unref();
  }

  /** The data of an event of a booking, an account or a saved passenger, sealed. A key that is erased takes no words any more. */
  sealEvent<Data>(type: string, data: Data, subject: string, key: WordKey): Data {
    return this.#seal((map) => mapWordsOfEvent(type, data, map), subject, key);
  }

  /** The data of an event that `sealEvent` made; any other as it is. Keys that `keyOf` does not find are erased. */
  openEvent<Data>(type: string, data: Data, keyOf: KeyOf): Data {
    const found: { readonly sealed: SealedWord }[] = [];
    mapWordsOfEvent(type, data, (text) => {
      const sealed = sealedWordIn(text);
      if (sealed !== undefined) found.push({ sealed });
      return text;
    });
    if (found.length === 0) return data;
    const opened = openAll(found, (sealed) => open(sealed, keyOf(sealed.keyId)));
    return mapWordsOfEvent(type, data, (text) => {
      const sealed = sealedWordIn(text);
      return sealed === undefined ? text : (wordOf(sealed, opened, "words") ?? text);
    });
  }

  /**
   * A JSON text with its words revealed, those that are erased as `ERASED_WORDS`. A promise only where a key has to be
   * looked up. @throws StateStoreUnavailable
   */
  reveal(json: string): string | Promise<string> {
    if (!json.includes(MARK)) return json;
    const pieces = piecesOf(json);
    const missing = new Set<string>();
    const opened = this.#openOrRecall(pieces, (keyId) => {
      const key = this.keys.cached(keyId);
      if (key === undefined) missing.add(keyId);
      return key ?? null;
    });
    return missing.size > 0 ? this.#lookUpAndReveal(json, pieces, missing) : replace(pieces, opened);
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
    const words: Word[] = wordsIn(map);
    if (words.length === 0) return json;
    const last = this.#lastSealed.get(subject);
    if (last !== undefined && last.words === textOf(words))
      return withSealsOnce(JSON.stringify(replaceWords(map, last.sealed)));
    const key = await this.findKey(subject);
    // Made before there were keys.
    if (key === undefined) return json;
    return withSealsOnce(JSON.stringify(this.#seal(map, subject, key)));
  }

  /**
   * A text about somebody that `json` has sealed words of, sealed under the key of the first. Undefined: it has none, or the key
   * is erased. @throws StateStoreUnavailable
   */
  async sealBeside(json: string, text: string): Promise<string | undefined> {
    const keyId = piecesOf(json).find(({ sealed }) => sealed !== undefined)?.sealed?.keyId;
    const key = keyId === undefined ? undefined : await this.keys.find(keyId);
    if (keyId === undefined || typeof key !== "string") return undefined;
    return sealWords({ id: keyId, key }, [{ word: text, kind: "text", leads: true }])[0];
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
    this.#erasures += 1;
    this.#opened.clear();
    this.#lastSealed = new RecentMap(MAX_LAST_SEALED);
  }

  /** Seals the words that `map` maps. */
  #seal<Value>(map: (mapWord: MapWord) => Value, subject: string, key: WordKey): Value {
    if (key === null) return map((_, kind) => ERASED_WORDS[kind]);
    const words = wordsIn(map);
    if (words.length === 0) return map((word) => word);
    const sealed = inGroups(words).flatMap((group) => sealWords(key, group));
    this.#lastSealed.set(subject, { words: textOf(words), sealed });
    this.#lastSealed.trim();
    return replaceWords(map, sealed);
  }

  async #lookUpAndReveal(json: string, pieces: readonly Piece[], missing: ReadonlySet<string>): Promise<string> {
    const erasures = this.#erasures;
    const looked = Array.from(missing, async (keyId) => [keyId, (await this.keys.find(keyId)) ?? null] as const);
    const keys = new Map(await Promise.all(looked));
    if (erasures !== this.#erasures) return this.reveal(json);
    const keyOf = (keyId: string) => keys.get(keyId) ?? this.keys.cached(keyId) ?? null;
    return replace(pieces, this.#openOrRecall(pieces, keyOf));
  }

  #openOrRecall(pieces: readonly Piece[], keyOf: KeyOf): OpenedSeals {
    return openAll(pieces, (sealed) => {
      // A piece of the answer's text would keep all of it in memory.
      const name = hash("sha256", `${sealed.keyId}.${sealed.letters}.${sealed.seal}`, "base64url");
      const known = this.#opened.get(name);
      if (known !== undefined) return known;
      const opened = open(sealed, keyOf(sealed.keyId));
      if (opened !== undefined) this.#opened.set(name, opened);
      return opened;
    });
  }
}

/** The seals that these words carry, by id. One of another key is as lost as one whose key is erased. */
function openAll(
  found: Iterable<{ readonly sealed: SealedWord | undefined }>,
  openSeal: (leader: SealedWord) => Opened | undefined,
): OpenedSeals {
  const opened = new Map<string, Opened & { readonly keyId: string }>();
  for (const { sealed } of found) {
    if (sealed === undefined || !isLeader(sealed) || opened.get(sealed.sealId)?.keyId === sealed.keyId) continue;
    const words = openSeal(sealed);
    if (words !== undefined) opened.set(sealed.sealId, { ...words, keyId: sealed.keyId });
  }
  return opened;
}

function open({ keyId, letters, seal }: SealedWord, key: SubjectKey): Opened | undefined {
  const words = key === null ? undefined : unsealWords(key, keyId, letters, seal);
  return words && { words, inJson: words.map((word) => JSON.stringify(word).slice(1, -1)) };
}

/** A mark with what follows it up to the next: a sealed word, as the text that it is, and the rest. The first has none. */
interface Piece {
  readonly sealed: SealedWord | undefined;
  readonly text: string;
  readonly rest: string;
}

/** In JSON a sealed word ends with its string. */
function piecesOf(json: string): readonly Piece[] {
  return json.split(MARK).map((piece, index) => {
    if (index === 0) return { sealed: undefined, text: "", rest: piece };
    const end = piece.indexOf('"');
    const word = piece.slice(0, end);
    return { sealed: parseSealedWord(word), text: MARK + word, rest: piece.slice(end) };
  });
}

function replace(pieces: readonly Piece[], opened: OpenedSeals): string {
  let revealed = "";
  for (const { sealed, text, rest } of pieces) {
    revealed += (sealed && wordOf(sealed, opened, "inJson")) ?? text;
    revealed += rest;
  }
  return revealed;
}

/** Undefined: nobody has sealed it. */
function wordOf(sealed: SealedWord, opened: OpenedSeals, form: "words" | "inJson"): string | undefined {
  const { keyId, sealId, number } = sealed;
  const found = opened.get(sealId);
  const word = found?.keyId === keyId ? found[form][number] : undefined;
  if (word !== undefined) return word;
  const kind = kindOf(sealed);
  return kind && ERASED_WORDS[kind];
}

/** Undefined: the text is no sealed word. */
function sealedWordIn(text: string): SealedWord | undefined {
  return text.startsWith(MARK) ? parseSealedWord(text.slice(MARK.length)) : undefined;
}

function wordsIn(map: (mapWord: MapWord) => unknown): Word[] {
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
  let units = MAX_UNITS;
  for (const word of words) {
    if (word.leads && units === MAX_UNITS) {
      groups.push([]);
      units = 0;
    }
    if (word.leads) units += 1;
    groups.at(-1)?.push(word);
  }
  return groups;
}

function replaceWords<Value>(map: (mapWord: MapWord) => Value, by: readonly string[]): Value {
  let next = 0;
  return map(() => by[next++] as string);
}
