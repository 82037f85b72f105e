import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createFile } from "./durable-files.ts";

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
 * nothing about the others.
 */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "travel-booking-service", purpose, 32));
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A text was sealed under another key or in another context, or is damaged. */
export class UnsealFailed extends Error {
  override readonly name = "UnsealFailed";
}

/**
 * Encrypts texts for storage (AES-256-GCM, NIST SP 800-38D). Each sealed text is bound to its context, for example the
 * id of its record, and cannot be unsealed in another.
 */
export class TextSealer {
  readonly #key: KeyObject;

  /** 32 bytes, for this purpose alone. */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Base64url of nonce, tag and ciphertext. */
  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  /** @throws UnsealFailed */
  unseal(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, "base64url");
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new UnsealFailed("a sealed text can't be opened: it was sealed under another key, or is damaged", {
        cause,
      });
    }
  }
}
