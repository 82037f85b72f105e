import { erase, mapWords, type Places } from "@travel-booking/domain";
import { openBlock, PLACE, sealBlock, type Word, type WordKey } from "./word-block.ts";

/**
 * Begins the place of a word in JSON text, with its number behind it: `PLACE` with an escape that JSON.stringify never writes. So no text
 * of anybody can be taken for it.
 */
const PLACE_IN_TEXT = '"\\u007f';

/** All of them, with their numbers. */
const PLACES = /"\\u007f(\d+)"/g;

/** Of ECMAScript's proposal json-parse-with-source, which TypeScript does not declare yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * A value as JSON text, its words in a block before it: the mark, the block, a line end, and JSON with places for the words.
 * @param key null: it is erased, and so are the words; undefined: there is none, and the words stay where they are.
 */
export function sealJson(places: Places, value: unknown, key: WordKey | null | undefined): string {
  if (key === undefined) return JSON.stringify(value);
  if (key === null) return JSON.stringify(mapWords(places, value, erase));
  const words: Word[] = [];
  // Fields stand in another order than in the table.
  const numbered = mapWords(places, value, (word, kind) =>
    rawJSON(`${PLACE_IN_TEXT}${words.push({ word, kind }) - 1}"`),
  );
  const json = JSON.stringify(numbered);
  return words.length === 0 ? json : `${PLACE}${sealBlock(key, words)}\n${json}`;
}

/** The block of a text that `sealJson` has made, empty where it has no words; undefined: it is JSON as it is. */
export function blockOf(text: string): string | undefined {
  return text.startsWith(PLACE) ? text.slice(1, text.indexOf("\n")) : undefined;
}

/** The JSON of such a text with its words, erased where the key is gone. @param block of the text. */
export function openJson(text: string, block: string, key: WordKey | null): string {
  const words = block === "" ? [] : openBlock(block, key).split("\n");
  return text.slice(block.length + 2).replace(PLACES, (_, number: string) => words[Number(number)] ?? "null");
}
