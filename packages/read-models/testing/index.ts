export { newWords } from "./new-words.ts";
export * from "./webhook-writes.ts";
