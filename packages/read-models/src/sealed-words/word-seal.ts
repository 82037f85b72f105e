import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from "node:crypto";
import type { WordKind } from "@travel-booking/domain";

/** Begins a sealed word. A character for private use, which no font shows. */
export const MARK = "\uE5EA";

/** Of whose id and kind the seal is, and the seal: the first group, the second and the third. */
export const SEALED_WORD = /\uE5EA([^."\uE5EA]+)\.([a-z])([A-Za-z0-9_-]+)/g;

const LETTERS: Readonly<Record<WordKind, string>> = { text: "t", email: "e", date: "d", country: "c", meal: "m" };
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as WordKind]));

export function kindOfLetter(letter: string): WordKind | undefined {
  return KINDS.get(letter);
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Seals a word (AES-256-GCM, NIST SP 800-38D), bound to its subject and its kind: mark, subject, kind, and base64url of
 * nonce, tag and ciphertext. JSON writes it as it is.
 */
export function sealWord(key: KeyObject, subject: string, word: string, kind: WordKind): string {
  const letter = LETTERS[kind];
  const nonce = freshNonce();
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(`${subject}.${letter}`));
  const sealed = cipher.update(word, "utf8");
  cipher.final();
  return `${MARK}${subject}.${letter}${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/** Undefined: it is no seal of this key. */
export function unsealWord(key: KeyObject, subject: string, letter: string, seal: string): string | undefined {
  const bytes = Buffer.from(seal, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(`${subject}.${letter}`))
      .setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
    const word = decipher.update(bytes.subarray(HEAD_BYTES), undefined, "utf8");
    return word + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

/** Random bytes for many nonces: one call takes as long as for one. */
const nonces = Buffer.alloc(NONCE_BYTES * 512);
let next = nonces.length;

function freshNonce(): Buffer {
  if (next === nonces.length) {
    randomFillSync(nonces);
    next = 0;
  }
  const nonce = Buffer.from(nonces.subarray(next, next + NONCE_BYTES));
  next += NONCE_BYTES;
  return nonce;
}
