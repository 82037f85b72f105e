import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A text was sealed under another key or for another place, or is damaged. */
export class UnsealFailed extends Error {
  override readonly name = "NotUnsealed";
}

/**
 * Texts that may lie in a store and can only be read by who has the key (AES-256-GCM, NIST SP 800-38D). Each is bound
 * to the place it stands in, so that one record's text is of no use in another.
 */
export class TextSealer {
  readonly #key: KeyObject;

  /** 32 bytes, for this purpose alone. */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Base64url of nonce, tag and ciphertext. */
  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  /** @throws NotUnsealed */
  unseal(sealed: string, place: string): string {
    const bytes = Buffer.from(sealed, "base64url");
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
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
