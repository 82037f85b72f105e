import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The keys that are made of the secrets in use. */
export interface SigningKeys {
  /** Of `Service-Signature`: the whole text of the oldest secret. */
  readonly whole: KeyObject;
  /** Of the Standard Webhooks specification: the part of each secret behind the prefix, decoded, the newest first. */
  readonly decoded: readonly KeyObject[];
}

const PREFIX = "whsec_";

/** @param previous the secret that this one replaces, while both are in use (docs/rules.md#rotating-a-secret). */
export function signingKeys(secret: string, previous?: string): SigningKeys {
  const secrets = previous === undefined ? [secret] : [secret, previous];
  return {
    whole: createSecretKey(Buffer.from(previous ?? secret, "utf8")),
    decoded: secrets.map((each) => {
      const encoded = each.startsWith(PREFIX) ? each.slice(PREFIX.length) : each;
      return createSecretKey(Buffer.from(encoded, "base64"));
    }),
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
  const head = `${eventId}.${timestamp}.`;
  const standard = keys.decoded.map(
    (key) => `v1,${createHmac("sha256", key).update(head).update(body).digest("base64")}`,
  );
  return {
    signature,
    headers: {
      "Service-Signature": signature,
      "webhook-id": eventId,
      "webhook-timestamp": timestamp,
      "webhook-signature": standard.join(" "),
    },
  };
}
