import sodium from "sodium-native";
import { AES_HEAD_BYTES, unsealAes } from "./aes-seals.ts";

export { AES_HEAD_BYTES };

/** A seal is of another key or another context, or damaged. */
export class UnsealFailed extends Error {
  override readonly name = "UnsealFailed";

  constructor(cause: unknown) {
    super("what is sealed can't be opened: it was sealed under another key, or is damaged", { cause });
  }
}

const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
/** Bytes that a seal adds to its content. */
export const SEAL_HEAD_BYTES = NONCE_BYTES + sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;

/**
 * Encrypts what is stored: nonce, ciphertext and tag (XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03), bound to a context, such as
 * the id of its record.
 * @param key 32 bytes.
 */
export function sealBytes(key: Uint8Array, context: string, content: string | Uint8Array): Buffer {
  const plain = typeof content === "string" ? Buffer.from(content) : content;
  const sealed = Buffer.allocUnsafe(SEAL_HEAD_BYTES + plain.length);
  const nonce = sealed.subarray(0, NONCE_BYTES);
  sodium.randombytes_buf(nonce);
  const rest = sealed.subarray(NONCE_BYTES);
  sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(rest, plain, Buffer.from(context), null, nonce, key);
  return sealed;
}

/** The content of a seal by `sealBytes`, or by an earlier release. @throws UnsealFailed */
export function unsealBytes(key: Uint8Array, context: string, sealed: Uint8Array): Buffer {
  const bound = Buffer.from(context);
  try {
    const plain = Buffer.allocUnsafe(Math.max(0, sealed.length - SEAL_HEAD_BYTES));
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const rest = sealed.subarray(NONCE_BYTES);
    sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(plain, null, rest, bound, nonce, key);
    return plain;
  } catch {
    try {
      return unsealAes(key, bound, sealed);
    } catch (cause) {
      throw new UnsealFailed(cause);
    }
  }
}
