import { createDecipheriv } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What such a seal takes besides its content. */
export const AES_HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * What releases up to 1.0 sealed: nonce, tag and ciphertext (AES-256-GCM, NIST SP 800-38D). It is in logs and files for good.
 * @throws Error it is none of this key and context.
 */
export function unsealAes(key: Uint8Array, context: Uint8Array, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(context)
    .setAuthTag(sealed.subarray(NONCE_BYTES, AES_HEAD_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(AES_HEAD_BYTES)), decipher.final()]);
}
