import { hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createFile } from "./durable-files.ts";
import { sealBytes, UnsealFailed, unsealBytes } from "./sealing.ts";

const SECRET_BYTES = 32;

/**
 * The secret in this file. If there is no file, creates it durably with mode 0600 and 43 characters of base64url.
 * @throws file system errors.
 * @throws Error an existing file is empty.
 */
export function loadOrCreateSecret(file: string): string {
  const made = randomBytes(SECRET_BYTES).toString("base64url");
  try {
    createFile(file, `${made}\n`);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const kept = readFileSync(file, "utf8").trim();
  if (kept === "") throw new Error(`${file} is empty: restore it, or remove it to have a new secret made`);
  return kept;
}

/**
 * A key of 32 bytes for one purpose, derived from the service's secret (HKDF-SHA-256, RFC 5869). A leaked key reveals
 * nothing about the other keys.
 */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "travel-booking-service", purpose, 32));
}

/** The service's secret, or that and another one that may have been in use (docs/operations.md#changing-secret_key). */
export type SecretKey = string | readonly [present: string, other: string];

/** The key to use, and another one that may have been in use until now. */
export type DerivedKeys = readonly [key: Uint8Array, other?: Uint8Array];

/** Derives a key from each secret, as `deriveKey` does. */
export function deriveKeys(secret: SecretKey, purpose: string): DerivedKeys {
  if (typeof secret === "string") return [deriveKey(secret, purpose)];
  return [deriveKey(secret[0], purpose), deriveKey(secret[1], purpose)];
}

/** Records of the state store with a sealed text, whose context is the record's key. */
export interface SealedRecords {
  readonly space: string;
  /** The purpose of the derived key. */
  readonly purpose: string;
  /** The field of the value that holds the sealed text; null: the value is the text. */
  readonly field: string | null;
}

/**
 * Encrypts texts for storage. Each sealed text is bound to its context, for example the id of its record, and cannot be
 * unsealed in another.
 */
export class TextSealer {
  readonly #key: Uint8Array;
  /** For texts that were sealed earlier, or by another process. */
  readonly #other: Uint8Array | undefined;

  /** 32 bytes each, used for nothing else. The first one seals. */
  constructor([key, other]: DerivedKeys) {
    this.#key = key;
    this.#other = other;
  }

  /** `sealBytes`, as base64url. */
  seal(text: string, context: string): string {
    return sealBytes(this.#key, context, text).toString("base64url");
  }

  /** @throws UnsealFailed */
  unseal(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, "base64url");
    try {
      return unsealBytes(this.#key, context, bytes).toString();
    } catch (error) {
      if (!(error instanceof UnsealFailed) || this.#other === undefined) throw error;
      return unsealBytes(this.#other, context, bytes).toString();
    }
  }

  /** The text sealed under the first key; undefined if it is already. @throws UnsealFailed */
  reseal(sealed: string, context: string): string | undefined {
    try {
      unsealBytes(this.#key, context, Buffer.from(sealed, "base64url"));
      return undefined;
    } catch (error) {
      if (!(error instanceof UnsealFailed)) throw error;
      return this.seal(this.unseal(sealed, context), context);
    }
  }
}
