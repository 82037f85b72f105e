import { createHmac, timingSafeEqual } from "node:crypto";

/** What a delivery says of itself. */
export interface DeliveryHeaders {
  readonly "service-signature"?: string | undefined;
  readonly "webhook-id"?: string | undefined;
  readonly "webhook-timestamp"?: string | undefined;
  readonly "webhook-signature"?: string | undefined;
}

/** Whether each of the two signatures is right; undefined where it was not sent. */
export interface SignatureChecks {
  readonly service: boolean | undefined;
  /** Of the Standard Webhooks specification. */
  readonly standard: boolean | undefined;
}

/** Checks a delivery under the secret of its endpoint. */
export function verify(secret: string, headers: DeliveryHeaders, body: Uint8Array): SignatureChecks {
  return { service: service(secret, headers, body), standard: standard(secret, headers, body) };
}

function service(secret: string, headers: DeliveryHeaders, body: Uint8Array): boolean | undefined {
  const sent = headers["service-signature"];
  return sent === undefined ? undefined : isSame(sent, createHmac("sha256", secret).update(body).digest("hex"));
}

function standard(secret: string, headers: DeliveryHeaders, body: Uint8Array): boolean | undefined {
  const sent = headers["webhook-signature"];
  if (sent === undefined) return undefined;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const head = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const expected = `v1,${createHmac("sha256", key).update(head).update(body).digest("base64")}`;
  return sent.split(" ").some((one) => isSame(one, expected));
}

/** Takes as long whatever the difference is. */
function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
