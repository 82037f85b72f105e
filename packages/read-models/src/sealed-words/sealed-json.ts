import { erase, mapWords, type Places } from "@travel-booking/domain";
import { openBlock, PLACE, sealBlock, type Word, type WordKey } from "./word-block.ts";

/**
 * Begins the place of a word in JSON text; the word's number follows. It is `PLACE` with an escape that JSON.stringify
 * never writes, so no other text looks like it.
 */
const PLACE_IN_TEXT = '"\\u007f';

/** All places, with their numbers. */
const PLACES = /"\\u007f(\d+)"/g;

/** From ECMAScript's proposal json-parse-with-source, which TypeScript does not declare yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Words taken out of values, each only once. They stand in one block before a JSON text. */
export class TakenWords {
  readonly #words: Word[] = [];
  /** By kind, the number of each word. */
  readonly #numbers: Partial<Record<Word["kind"], Map<string, number>>> = {};

  /** A value as JSON text, with places for its words. */
  takeIntoText(places: Places, value: unknown): string {
    const numbered = mapWords(places, value, (...word) => rawJSON(`${PLACE_IN_TEXT}${this.#numberOf(...word)}"`));
    return JSON.stringify(numbered);
  }

  /** A value with places for its words. */
  takeOutOf(places: Places, value: unknown): unknown {
    return mapWords(places, value, (...word) => `${PLACE}${this.#numberOf(...word)}`);
  }

  /** Makes the mark, the block, a line end, and the text. Without words, only the text. */
  sealBefore(text: string, key: WordKey): string {
    return this.#words.length === 0 ? text : `${PLACE}${sealBlock(key, this.#words)}\n${text}`;
  }

  #numberOf(word: string, kind: Word["kind"]): number {
    this.#numbers[kind] ??= new Map();
    const ofKind = this.#numbers[kind];
    const known = ofKind.get(word);
    if (known !== undefined) return known;
    ofKind.set(word, this.#words.length);
    return this.#words.push({ word, kind }) - 1;
  }
}

/**
 * A value as JSON text, with its words in a block before it.
 * @param key null: the key is erased, and so are the words; undefined: there is no key, so the words stay in place.
 */
export function sealJson(places: Places, value: unknown, key: WordKey | null | undefined): string {
  if (key === undefined) return JSON.stringify(value);
  if (key === null) return JSON.stringify(mapWords(places, value, erase));
  const words = new TakenWords();
  return words.sealBefore(words.takeIntoText(places, value), key);
}

/** The block before a text, empty without words; undefined: the text is plain JSON. */
export function blockOf(text: string): string | undefined {
  return text.startsWith(PLACE) ? text.slice(1, text.indexOf("\n")) : undefined;
}

/** The words of a block in JSON form, by number. They are erased if the key is gone. */
export function wordsOf(block: string, key: WordKey | null): readonly string[] {
  return block === "" ? [] : openBlock(block, key).split("\n");
}

/** The JSON after a block, with its words. */
export function openJson(text: string, block: string, words: readonly string[]): string {
  return text.slice(block.length + 2).replace(PLACES, (_, number: string) => words[Number(number)] ?? "null");
}

/** Restores the value that `takeOutOf` was given. */
export function putInto(places: Places, value: unknown, words: readonly string[]): unknown {
  return mapWords(places, value, (place) => JSON.parse(words[Number(place.slice(PLACE.length))] ?? "null"));
}
