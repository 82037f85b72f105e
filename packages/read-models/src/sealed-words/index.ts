export { WORDS_OF_MODELS } from "../words-of-models.ts";
export { isFormerWord } from "./former-words.ts";
export { areKeysOf, giveUpKeys } from "./newest-key.ts";
export { ErasedContent, sealContent, sealedSize, unsealContent } from "./sealed-content.ts";
export {
  type FoundBy,
  type OpenBatch,
  type OpenDocument,
  OpenedReadModels,
  type OpenPut,
  SealedDocuments,
} from "./sealed-documents.ts";
export { keyIdsOfEvent, SealedWords, takeEventApart } from "./sealed-words.ts";
export { type KeyStore, type SubjectKeys, WRAPPED_KEYS } from "./subject-keys.ts";
export { keyIdOf, type WordKey } from "./word-block.ts";
