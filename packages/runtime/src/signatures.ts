import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";
import type { DerivedKeys } from "./secrets.ts";

/** A private key of Ed25519 (RFC 8410) is these bytes, followed by its 32 bytes. */
const PKCS8_BEGINNING = Buffer.from("302e020100300506032b657004220420", "hex");

function ed25519Key(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_BEGINNING, seed]), format: "der", type: "pkcs8" });
}

/** The public keys under which texts may be signed, as a JSON Web Key Set (RFC 7517, RFC 8037). */
export interface PublicKeySet {
  readonly keys: readonly PublicKey[];
}

export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly alg: "EdDSA";
  readonly use: "sig";
  /** The key: 32 bytes as base64url. */
  readonly x: string;
}

/** Signs texts so that anybody with the public keys can check them, even offline (Ed25519, RFC 8032). */
export class TextSigner {
  readonly #key: KeyObject;
  /** The present key first. Texts that were signed earlier, or by another process, may be under the other key. */
  readonly publicKeys: PublicKeySet;

  /** 32 bytes each, used for nothing else. The first one signs. */
  constructor([key, other]: DerivedKeys) {
    this.#key = ed25519Key(key);
    const all = other === undefined ? [this.#key] : [this.#key, ed25519Key(other)];
    this.publicKeys = { keys: all.map(publicKeyOf) };
  }

  /** 86 characters of base64url, always the same for the same text. */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#key).toString("base64url");
  }
}

function publicKeyOf(key: KeyObject): PublicKey {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", x };
}

/** Whether one of these keys made the signature of a text. @throws Error one of them is no public key. */
export function isSignedBy({ keys }: PublicKeySet, text: string, signature: string): boolean {
  return keys.some((key) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: key as unknown as JsonWebKey, format: "jwk" }),
      Buffer.from(signature, "base64url"),
    ),
  );
}
