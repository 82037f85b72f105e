import { type DeliveryHeaders, verify } from "../../src/receiver/verify.ts";
import type { ReceivedDelivery } from "./received.ts";

/** As receivers are told to check a delivery (docs/rules.md#signatures). */
export function isSigned(received: ReceivedDelivery, secret: string): boolean {
  return verdict(received, secret).service === true;
}

/** As the Standard Webhooks specification tells them. */
export function isStandardSigned(received: ReceivedDelivery, secret: string): boolean {
  return verdict(received, secret).standard === true;
}

function verdict({ headers, body }: ReceivedDelivery, secret: string) {
  return verify(secret, headers as DeliveryHeaders, Buffer.from(body));
}
