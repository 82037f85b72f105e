/** Replacements for erased personal words, by the kind of the word. Each has the shape of its field. */
export const ERASED_WORDS = {
  text: "[erased]",
  email: "erased@erased.invalid",
  /** A day on which no user was born. */
  date: "0001-01-01",
  /** ISO 3166-1 reserves it for private use. */
  country: "XX",
  /** docs/rules.md#travel-preferences: the default. */
  meal: "standard",
} as const;

export type WordKind = keyof typeof ERASED_WORDS;

/** A word with its kind beside it. */
export type KindOfWord = readonly [kind: WordKind, word: string];
