import type { WordKind } from "@travel-booking/domain";
import { sealBytes, unsealBytes } from "@travel-booking/runtime/sealing";

/** Begins a sealed word. Of ASCII, so that texts stay short in memory, and written by JSON as it is. */
export const MARK = "\x7f";

/**
 * A sealed word as it stands in JSON: the mark, then the id of its key, kinds, seal and number, with dots between. The words of some
 * units of an event are sealed together. One that leads its unit carries them all, with their kinds and its own number among them. The
 * others name their own kind and number, and the seal that their leader carries by its id.
 */
export interface SealedWord {
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
  readonly keyId: string;
  readonly letters: string;
  readonly seal: string;
  readonly number: number;
}

/** Up to the end of its string: the id of its key, letters of kinds, seal and number. */
const SEALED_WORD = new RegExp(`${MARK}([^.${MARK}"]+)\\.([^."]*)\\.([^."]+)\\.(\\d+)(?=")`, "g");

/** The sealed words in a JSON text, in their order. Each ends with its string. */
export function sealedWordsIn(json: string): readonly SealedWord[] {
  return Array.from(json.matchAll(SEALED_WORD), (match) => {
    const [text, keyId = "", letters = "", seal = "", number] = match;
    return { text, at: match.index, keyId, letters, seal, number: Number(number) };
  });
}

/** The ids of the keys of all sealed words in a JSON text, in the order in which they stand there. */
export function keyIdsIn(json: string): ReadonlySet<string> {
  return new Set(sealedWordsIn(json).map(({ keyId }) => keyId));
}

/** A JSON text with others in the places of its sealed words. */
export function replaceSealedWords(
  json: string,
  words: readonly SealedWord[],
  by: (word: SealedWord) => string,
): string {
  let replaced = "";
  let end = 0;
  for (const word of words) {
    replaced += json.slice(end, word.at);
    replaced += by(word);
    end = word.at + word.text.length;
  }
  return replaced + json.slice(end);
}

/** The nonce: what a seal begins with, and no other does. */
const SEAL_ID = 16;

/** Of the seal that a leader carries, and the others refer to. */
export function sealIdOf({ seal }: SealedWord): string {
  return seal.slice(0, SEAL_ID);
}

export function isLeader({ seal }: SealedWord): boolean {
  return seal.length > SEAL_ID;
}

const LETTERS: Readonly<Record<WordKind, string>> = { text: "t", email: "e", date: "d", country: "c", meal: "m" };
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as WordKind]));

/** The kind of the word with this number; undefined for what was not written here. */
export function kindOf(word: SealedWord): WordKind | undefined {
  return KINDS.get(letterOf(word));
}

function letterOf({ letters, number }: SealedWord): string {
  return letters.length === 1 ? letters : letters.charAt(number);
}

/** A JSON text, to be read as a whole, with each seal once: where other words lead too, they name it as those that don't. */
export function withSealsOnce(json: string): string {
  if (!json.includes(MARK)) return json;
  const carried = new Set<string>();
  return replaceSealedWords(json, sealedWordsIn(json), (word) => {
    const { text, keyId, seal, number } = word;
    if (!isLeader(word)) return text;
    const id = sealIdOf(word);
    if (carried.has(id)) return followerOf(keyId, letterOf(word), seal, number);
    carried.add(id);
    return text;
  });
}

function followerOf(keyId: string, letter: string, seal: string, number: number): string {
  return `${MARK}${keyId}.${letter}.${seal.slice(0, SEAL_ID)}.${number}`;
}

export interface Word {
  readonly word: string;
  readonly kind: WordKind;
  readonly leads: boolean;
}

/** A key, and what sealed words call it: the id of its account or saved passenger, or its place in `KeyPages`. */
export interface WordKey {
  readonly id: string;
  /** 32 bytes in base64url: many thousand texts cost the collector less than as many buffers. May be worked out each time. */
  readonly key: string;
}

/**
 * Seals words together, bound to their key's id and their kinds: `sealBytes` in base64url. JSON writes a sealed word as it is.
 */
export function sealWords({ id, key }: WordKey, words: readonly Word[]): readonly string[] {
  let letters = "";
  for (const { kind } of words) letters += LETTERS[kind];
  const text = JSON.stringify(words.map(({ word }) => word));
  const seal = sealBytes(keyBytes(key), `${id}.${letters}`, text).toString("base64url");
  const whole = `${MARK}${id}.${letters}.${seal}.`;
  return words.map(({ kind, leads }, number) => (leads ? whole + number : followerOf(id, LETTERS[kind], seal, number)));
}

/** The words of the seal that a leader carries; undefined: it is none of this key. */
export function unsealWords({ id, key }: WordKey, { letters, seal }: SealedWord): readonly string[] | undefined {
  try {
    return JSON.parse(unsealBytes(keyBytes(key), `${id}.${letters}`, Buffer.from(seal, "base64url")).toString());
  } catch {
    return undefined;
  }
}

export function keyBytes(key: string): Buffer {
  return Buffer.from(key, "base64url");
}
