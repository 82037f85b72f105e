import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomFillSync } from "node:crypto";
import type { WordKind } from "@travel-booking/domain";

/** Begins a sealed word. Of ASCII, so that texts stay short in memory, and written by JSON as it is. */
export const MARK = "\x7f";

/**
 * A sealed word behind its mark: the id of its key, kinds, seal and number, with dots between. The words of some units of an
 * event are sealed together. One that leads its unit carries them all, with their kinds and its own number among them. The others name
 * their own kind and number, and by `sealId` the seal that their leader carries.
 */
export interface SealedWord {
  readonly keyId: string;
  readonly letters: string;
  readonly seal: string;
  readonly sealId: string;
  readonly number: number;
}

const SEALED_WORD = /^([^.]+)\.([^.]*)\.([^.]*)\.(\d+)$/;

/** Undefined: the text is none. */
export function parseSealedWord(text: string): SealedWord | undefined {
  const [, keyId, letters, seal, number] = SEALED_WORD.exec(text) ?? [];
  if (keyId === undefined || letters === undefined || seal === undefined) return undefined;
  return { keyId, letters, seal, sealId: sealIdOf(seal), number: Number(number) };
}

/** Of the key that a word is sealed under; undefined: the text is no sealed word. */
export function keyIdOf(text: string): string | undefined {
  return text.startsWith(MARK) ? parseSealedWord(text.slice(MARK.length))?.keyId : undefined;
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

const LEADER = new RegExp(`${MARK}([^.]+)\\.([^.]+)\\.([\\w-]{${SEAL_ID}})[\\w-]+\\.(\\d+)`, "g");

/** A JSON text, to be read as a whole, with each seal once: where other words lead too, they name it as those that don't. */
export function withSealsOnce(json: string): string {
  if (!json.includes(MARK)) return json;
  const carried = new Set<string>();
  return json.replace(LEADER, (leader, keyId: string, letters: string, sealId: string, number: string) => {
    if (carried.has(sealId)) return `${MARK}${keyId}.${letters.charAt(Number(number))}.${sealId}.${number}`;
    carried.add(sealId);
    return leader;
  });
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

/** A key, and what sealed words call it: the id of its account or saved passenger, or its place in `KeyPages`. */
export interface SealingKey {
  readonly id: string;
  readonly key: string;
}

/** 32 bytes in base64url: many thousand texts cost the collector less than as many buffers. Null: it is erased. */
export type SubjectKey = string | null;

/** What words are sealed under; null: it is erased. */
export type WordKey = SealingKey | null;

export function textOf(words: readonly Word[]): string {
  return JSON.stringify(words.map(({ word }) => word));
}

/**
 * Seals words together (AES-256-GCM, NIST SP 800-38D), bound to their key's id and their kinds: base64url of nonce, tag and
 * ciphertext. JSON writes a sealed word as it is.
 */
export function sealWords({ id: keyId, key }: SealingKey, words: readonly Word[]): readonly string[] {
  let letters = "";
  for (const { kind } of words) letters += LETTERS[kind];
  const nonce = randomPart(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyObject(key), nonce).setAAD(Buffer.from(`${keyId}.${letters}`));
  const sealed = cipher.update(textOf(words), "utf8");
  cipher.final();
  const seal = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  const whole = `${MARK}${keyId}.${letters}.${seal}.`;
  return words.map(({ kind, leads }, number) =>
    leads ? whole + number : `${MARK}${keyId}.${LETTERS[kind]}.${sealIdOf(seal)}.${number}`,
  );
}

/** The words of a whole seal; undefined: it is none of this key. */
export function unsealWords(key: string, keyId: string, letters: string, seal: string): readonly string[] | undefined {
  const bytes = Buffer.from(seal, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, keyObject(key), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(`${keyId}.${letters}`))
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
