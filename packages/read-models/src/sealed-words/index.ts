export { areKeysOf, giveUpKeys } from "./newest-key.ts";
export { ErasedContent, sealContent, sealedSize, unsealContent } from "./sealed-content.ts";
export { SealedWords, wordsOfEvent } from "./sealed-words.ts";
export { WRAPPED_KEYS } from "./subject-keys.ts";
export { keyIdsIn, MARK, type Word, type WordKey } from "./word-seal.ts";
