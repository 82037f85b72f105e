import type { SpelledWord } from "./transliteration.ts";

/** Whether a text of letters A to Z is this word, in one of the ways it may be written. */
export function isWord(text: string, word: SpelledWord): boolean {
  return endsOf(text, word).has(text.length);
}

/** Whether it is the word's beginning, or all of it. */
export function beginsWord(text: string, word: SpelledWord): boolean {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const ways of word) {
    if (ends.has(text.length)) return true;
    for (const end of ends) if (ways.some((way) => way.startsWith(text.slice(end)))) return true;
    ends = step(text, ends, ways);
  }
  return ends.has(text.length);
}

/** Where in the text the word may end: a set instead of a search through all spellings, of which there may be many. */
function endsOf(text: string, word: SpelledWord): ReadonlySet<number> {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const ways of word) ends = step(text, ends, ways);
  return ends;
}

function step(text: string, from: ReadonlySet<number>, ways: readonly string[]): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const start of from) {
    for (const way of ways) if (text.startsWith(way, start)) ends.add(start + way.length);
  }
  return ends;
}
