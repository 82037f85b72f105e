export { sealContent, sealedSize, unsealContent } from "./sealed-content.ts";
export { SealedWords } from "./sealed-words.ts";
export { type SubjectKey, WRAPPED_KEYS } from "./subject-keys.ts";
export { MARK } from "./word-seal.ts";
