import { createDecipheriv } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes that an AES seal adds to its content. */
export const AES_HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Opens seals of releases up to 1.0: nonce, tag and ciphertext (AES-256-GCM, NIST SP 800-38D). Logs and files keep
 * them.
 * @throws Error the seal is of another key or context, or damaged.
 */
export function unsealAes(key: Uint8Array, context: Uint8Array, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(context)
    .setAuthTag(sealed.subarray(NONCE_BYTES, AES_HEAD_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(AES_HEAD_BYTES)), decipher.final()]);
}
