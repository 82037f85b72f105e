export { sealContent, sealedSize, unsealContent } from "./sealed-content.ts";
export { SealedWords } from "./sealed-words.ts";
export { type SubjectKey, type WordKey, WRAPPED_KEYS } from "./subject-keys.ts";
export { keyIdOf, MARK } from "./word-seal.ts";
