import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The two keys that are made of one secret. */
export interface SigningKeys {
  /** Of `Service-Signature`: the whole secret as text. */
  readonly whole: KeyObject;
  /** Of the Standard Webhooks specification: the part behind the prefix, decoded. */
  readonly decoded: KeyObject;
}

const PREFIX = "whsec_";

export function signingKeys(secret: string): SigningKeys {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  return {
    whole: createSecretKey(Buffer.from(secret, "utf8")),
    decoded: createSecretKey(Buffer.from(encoded, "base64")),
  };
}

/** The signature headers of a delivery. */
export interface SignedHeaders {
  /** The value of `Service-Signature`. */
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs a body (docs/rules.md#signatures; Standard Webhooks 1.0, "Signature scheme").
 * @param at milliseconds since the epoch, real time: receivers refuse old timestamps.
 */
export function sign(keys: SigningKeys, eventId: string, body: Uint8Array, at: number): SignedHeaders {
  const signature = createHmac("sha256", keys.whole).update(body).digest("hex");
  const timestamp = String(Math.floor(at / 1_000));
  const standard = createHmac("sha256", keys.decoded).update(`${eventId}.${timestamp}.`).update(body).digest("base64");
  return {
    signature,
    headers: {
      "Service-Signature": signature,
      "webhook-id": eventId,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${standard}`,
    },
  };
}
