/** A word of each kind has the shape of its field (`ERASED_WORDS`). */
export type WordKind = "text" | "email" | "date" | "country" | "meal";

/** A word with its kind beside it. */
export type KindOfWord = readonly [kind: WordKind, word: string];
