export { SealedWords } from "./sealed-words.ts";
export type { SubjectKey } from "./subject-keys.ts";
export { MARK } from "./word-seal.ts";
