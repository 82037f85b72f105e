/** The part of libsodium that is used here. The package has no types of its own. */
declare module "sodium-native" {
  const sodium: {
    readonly crypto_aead_xchacha20poly1305_ietf_NPUBBYTES: number;
    readonly crypto_aead_xchacha20poly1305_ietf_ABYTES: number;
    randombytes_buf(buffer: Uint8Array): void;
    /** Writes ciphertext and tag into `sealed`, which must have exactly their length. */
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      sealed: Uint8Array,
      plain: Uint8Array,
      bound: Uint8Array,
      unused: null,
      nonce: Uint8Array,
      key: Uint8Array,
    ): number;
    /** @throws Error the sealed bytes or the bound ones differ. */
    crypto_aead_xchacha20poly1305_ietf_decrypt(
      plain: Uint8Array,
      unused: null,
      sealed: Uint8Array,
      bound: Uint8Array,
      nonce: Uint8Array,
      key: Uint8Array,
    ): number;
  };
  export default sodium;
}
