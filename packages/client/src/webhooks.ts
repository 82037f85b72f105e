import { TravelBookingError } from "./errors.ts";
import type { Event } from "./generated.ts";

/** The delivery is not to be trusted. */
export class WebhookVerificationError extends TravelBookingError {}

export interface ReceivedWebhook {
  /** As it arrived, byte for byte: not parsed, not serialized again. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Of the request, as fetch or Node has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the endpoint (`whsec_…`). While a secret is being replaced: both. */
  readonly secrets: string | readonly string[];
  /**
   * How far the moment of sending may lie from now; 300 unless told. `Infinity` accepts deliveries of any age, and those
   * that have a `Service-Signature` alone, which says no time.
   */
  readonly toleranceSeconds?: number;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const encoder = new TextEncoder();

/**
 * The event of a delivery, once its signature is checked. Deliveries may come more than once: skip ids you have had.
 * @throws WebhookVerificationError it is not genuine, or too old.
 */
export async function verifyWebhook(delivery: ReceivedWebhook): Promise<Event> {
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = delivery;
  const body = typeof delivery.body === "string" ? encoder.encode(delivery.body) : new Uint8Array(delivery.body);
  const secrets = [delivery.secrets].flat();
  if (secrets.length === 0 || secrets.includes("")) throw new TypeError("a secret is needed");
  const header = (name: string) => headerOf(delivery.headers, name);
  const [id, timestamp, signatures] = [header("webhook-id"), header("webhook-timestamp"), header("webhook-signature")];
  const ours = header("service-signature");
  if (id !== undefined && timestamp !== undefined && signatures !== undefined) {
    const age = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
      throw new WebhookVerificationError("it was not sent just now");
    const signed = concatenated(encoder.encode(`${id}.${timestamp}.`), body);
    const candidates = signatures.split(" ").flatMap((one) => (one.startsWith("v1,") ? [base64(one.slice(3))] : []));
    await check(secrets.map(decodedSecret), candidates, signed);
  } else if (ours === undefined) {
    throw new WebhookVerificationError("it has no signature");
  } else if (toleranceSeconds !== Number.POSITIVE_INFINITY) {
    throw new WebhookVerificationError("Service-Signature alone does not say when it was sent");
  } else {
    await check(
      secrets.map((secret) => encoder.encode(secret)),
      [hex(ours)],
      body,
    );
  }
  return JSON.parse(new TextDecoder().decode(body)) as Event;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** WebCrypto compares in constant time. */
async function check(keys: readonly Bytes[], signatures: readonly Bytes[], signed: Bytes): Promise<void> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return;
  }
  throw new WebhookVerificationError("no signature is of these secrets");
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.[0];
}

/** Standard Webhooks: the key is what stands behind `whsec_`, decoded. */
function decodedSecret(secret: string): Bytes {
  const key = base64(secret.replace(/^whsec_/, ""));
  if (key.length === 0) throw new TypeError("a secret is whsec_ and Base64");
  return key;
}

/** Empty where it is not Base64. */
function base64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function hex(text: string): Bytes {
  const pairs = /^[0-9a-f]+$/i.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

function concatenated(head: Uint8Array, tail: Uint8Array): Bytes {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
