export { areKeysOf, giveUpKeys } from "./newest-key.ts";
export { ErasedContent, sealContent, sealedSize, unsealContent } from "./sealed-content.ts";
export { SealedWords } from "./sealed-words.ts";
export { WRAPPED_KEYS } from "./subject-keys.ts";
export { keyIdsIn, MARK, type WordKey } from "./word-seal.ts";
