import { createHmac } from "node:crypto";

/** The secrets in use, the newest first (docs/rules.md#rotating-a-secret). */
export type SigningSecrets = readonly [newest: string, ...older: string[]];

/** The signature headers of a delivery. */
export interface SignedHeaders {
  /** The value of `Service-Signature`. */
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs a body (docs/rules.md#signatures; Standard Webhooks 1.0, "Signature scheme").
 * @param at milliseconds since the epoch, in real time because receivers refuse old timestamps.
 */
export function sign(secrets: SigningSecrets, eventId: string, body: Uint8Array, at: number): SignedHeaders {
  const [newest, oldest = newest] = secrets;
  const signature = createHmac("sha256", oldest).update(body).digest("hex");
  const timestamp = String(Math.floor(at / 1_000));
  const head = `${eventId}.${timestamp}.`;
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(head).update(body).digest("base64")}`;
  });
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
