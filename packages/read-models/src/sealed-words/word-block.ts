import { ERASED_WORDS, type MapWord, type WordKind } from "@travel-booking/domain";
import { sealBytes, unsealBytes } from "@travel-booking/runtime/sealing";

/** Stands in stored JSON where a word was taken out (DEL). */
export const PLACE = "\x7f";

export interface Word {
  readonly word: string;
  readonly kind: WordKind;
}

/** A key, and what blocks call it: the id of its account or saved passenger, or its place in `KeyPages`. */
export interface WordKey {
  readonly id: string;
  /** 32 bytes in base64url: many thousand texts cost the collector less than as many buffers. May be worked out each time. */
  readonly key: string;
  /** It is of an account that was opened before there were keys. */
  readonly former?: true;
}

const LETTERS: Readonly<Record<WordKind, string>> = { text: "t", email: "e", date: "d", country: "c", meal: "m" };
const ERASED_BY_LETTER: ReadonlyMap<string, string> = new Map(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, JSON.stringify(ERASED_WORDS[kind as WordKind])]),
);

/** As it stands in JSON: what is erased of the kind with this letter. Undefined: there is no such kind. */
export function erasedOf(letter: string): string | undefined {
  return ERASED_BY_LETTER.get(letter);
}

/**
 * Words sealed together: the id of their key, a letter for the kind of each, and the seal of their JSON texts, one a line. The seal is
 * bound to both.
 */
export function sealBlock({ id, key }: WordKey, words: readonly Word[]): string {
  let letters = "";
  for (const { kind } of words) letters += LETTERS[kind];
  const head = `${id}.${letters}`;
  const lines = words.map(({ word }) => JSON.stringify(word)).join("\n");
  return `${head}.${sealBytes(keyBytes(key), head, lines).toString("base64url")}`;
}

/** The id of the key of a block. */
export function keyIdOf(block: string): string {
  return block.slice(0, block.indexOf("."));
}

/** The words of a block as they stand in JSON, one a line. Without its key, or where it can't be opened, they are erased. */
export function openBlock(block: string, key: WordKey | null | undefined): string {
  const sealAt = block.lastIndexOf(".") + 1;
  const head = block.slice(0, sealAt - 1);
  if (key) {
    try {
      const seal = Buffer.from(block.slice(sealAt), "base64url");
      return unsealBytes(keyBytes(key.key), head, seal).toString();
    } catch {
      // Of another key, or damaged: treated as if its key were erased.
    }
  }
  const letters = head.slice(head.indexOf(".") + 1);
  return Array.from(letters, (letter) => erasedOf(letter) ?? "null").join("\n");
}

export function keyBytes(key: string): Buffer {
  return Buffer.from(key, "base64url");
}

/** A value with places for its words, and these. */
export interface TakenApart<Value> {
  readonly rest: Value;
  readonly words: readonly Word[];
}

/** @param mapWords maps the words of the value. */
export function takeApart<Value>(mapWords: (map: MapWord) => Value): TakenApart<Value> {
  const words: Word[] = [];
  const rest = mapWords((word, kind) => {
    words.push({ word, kind });
    return PLACE;
  });
  return { rest, words };
}

/** Puts the words of a block back in their places, in their order. */
export function putBack(block: string, key: WordKey | null | undefined): MapWord {
  const words: unknown[] = JSON.parse(`[${openBlock(block, key).replaceAll("\n", ",")}]`);
  let next = 0;
  return (word) => (word === PLACE ? words[next++] : word);
}
