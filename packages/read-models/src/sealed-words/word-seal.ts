import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomFillSync } from "node:crypto";
import type { WordKind } from "@travel-booking/domain";

/** Begins a sealed word. A character for private use, which no font shows. */
export const MARK = "\uE5EA";

/**
 * A sealed word behind its mark: subject, kinds, number and seal, with dots between. The words of one event are sealed
 * together. One that leads its unit carries them all, with their kinds and its own number among them. The others name
 * their own kind and number, and by `sealId` the seal that their leader carries.
 */
export interface SealedWord {
  readonly subject: string;
  readonly letters: string;
  readonly number: number;
  readonly seal: string;
  readonly sealId: string;
}

/** Undefined: the text is none. */
export function parseSealedWord(text: string): SealedWord | undefined {
  const [letters, number] = [text.indexOf("."), text.indexOf(".", text.indexOf(".") + 1)];
  const seal = text.indexOf(".", number + 1);
  if (letters < 1 || number < letters || seal < number) return undefined;
  return {
    subject: text.slice(0, letters),
    letters: text.slice(letters + 1, number),
    number: Number(text.slice(number + 1, seal)),
    seal: text.slice(seal + 1),
    sealId: sealIdOf(text.slice(seal + 1)),
  };
}

/** Of the nonce: what a seal begins with, and nobody else's does. */
const SEAL_ID = 16;

function sealIdOf(seal: string): string {
  return seal.slice(0, SEAL_ID);
}

export function isLeader({ seal }: SealedWord): boolean {
  return seal.length > SEAL_ID;
}

const LETTERS: Readonly<Record<WordKind, string>> = { text: "t", email: "e", date: "d", country: "c", meal: "m" };
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as WordKind]));

/** The kind of the word with this number; undefined for what was not written here. */
export function kindOf({ letters, number }: SealedWord): WordKind | undefined {
  return KINDS.get(letters.length === 1 ? letters : letters.charAt(number));
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

export interface Word {
  readonly word: string;
  readonly kind: WordKind;
  readonly leads: boolean;
}

/**
 * Seals words together (AES-256-GCM, NIST SP 800-38D), bound to their subject and their kinds: base64url of nonce, tag and
 * ciphertext. JSON writes a sealed word as it is.
 */
export function sealWords(key: string, subject: string, words: readonly Word[]): readonly string[] {
  const letters = words.map(({ kind }) => LETTERS[kind]).join("");
  const nonce = freshNonce();
  const cipher = createCipheriv(CIPHER, keyObject(key), nonce).setAAD(Buffer.from(`${subject}.${letters}`));
  const text = cipher.update(JSON.stringify(words.map(({ word }) => word)), "utf8");
  cipher.final();
  const seal = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
  return words.map(({ kind, leads }, number) =>
    leads
      ? `${MARK}${subject}.${letters}.${number}.${seal}`
      : `${MARK}${subject}.${LETTERS[kind]}.${number}.${sealIdOf(seal)}`,
  );
}

/** The words of a whole seal; undefined: it is none of this key. */
export function unsealWords(
  key: string,
  subject: string,
  letters: string,
  seal: string,
): readonly string[] | undefined {
  const bytes = Buffer.from(seal, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, keyObject(key), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(`${subject}.${letters}`))
      .setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
    const text = decipher.update(bytes.subarray(HEAD_BYTES), undefined, "utf8");
    return JSON.parse(text + decipher.final("utf8"));
  } catch {
    return undefined;
  }
}

/** With bytes a cipher takes three times as long. */
export function keyObject(key: string): KeyObject {
  return createSecretKey(key, "base64url");
}

/** Random bytes for many: one call takes as long as for one. */
const random = Buffer.alloc(8_192);
let next = random.length;

export function randomPart(bytes: number): Buffer {
  if (next + bytes > random.length) {
    randomFillSync(random);
    next = 0;
  }
  const part = Buffer.from(random.subarray(next, next + bytes));
  random.fill(0, next, next + bytes);
  next += bytes;
  return part;
}

const freshNonce = () => randomPart(NONCE_BYTES);
