import { unsealBytes } from "@travel-booking/runtime/sealing";
import { erasedOf, keyBytes, PLACE, type WordKey } from "./word-block.ts";

/**
 * A word as releases up to 1.1 stored it in its place: mark, key id, kinds, seal and number, with dots between. Some
 * words were sealed together. Then one of them has the seal, and the others name its beginning.
 */
const FORMER_WORD = new RegExp(`${PLACE}([^.${PLACE}"]+)\\.([^."]*)\\.([^."]+)\\.(\\d+)(?=")`, "g");
/** Characters of a seal by which other words name it. */
const SEAL_ID = 16;

/** Whether a text is a former word. */
export function isFormerWord(text: string): boolean {
  return text.startsWith(PLACE) && text.length > 1;
}

/** The key ids of all former words in a JSON text, in their order. */
export function formerKeyIds(json: string): ReadonlySet<string> {
  return new Set(Array.from(json.matchAll(FORMER_WORD), ([, keyId = ""]) => keyId));
}

/** Opens the former words in a JSON text. */
export function openFormerWords(json: string, keys: ReadonlyMap<string, WordKey | null | undefined>): string {
  const opened = new Map<string, readonly string[]>();
  for (const [, keyId = "", letters = "", seal = ""] of json.matchAll(FORMER_WORD)) {
    const key = keys.get(keyId);
    if (!key || seal.length <= SEAL_ID) continue;
    try {
      const words = unsealBytes(keyBytes(key.key), `${keyId}.${letters}`, Buffer.from(seal, "base64url")).toString();
      opened.set(keyId + seal.slice(0, SEAL_ID), JSON.parse(words));
    } catch {
      // The words are lost, as if their key were erased.
    }
  }
  return json.replaceAll(FORMER_WORD, (_, keyId: string, letters: string, seal: string, number: string) => {
    const letter = letters.length === 1 ? letters : letters.charAt(Number(number));
    const word = opened.get(keyId + seal.slice(0, SEAL_ID))?.[Number(number)];
    const text = word === undefined ? (erasedOf(letter) ?? erasedOf("t")) : JSON.stringify(word);
    return String(text).slice(1, -1);
  });
}
