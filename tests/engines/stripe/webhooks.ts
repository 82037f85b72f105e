import { createHmac } from "node:crypto";
import type { StripeEvent } from "./objects/books.ts";

/** The header `Stripe-Signature` of a body. @param at Unix time */
export function signature(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;
}

/** Posts an event as Stripe does; the status of the answer, 0: there was none. */
export async function postEvent(url: string, event: StripeEvent, secret: string, at: number): Promise<number> {
  const body = JSON.stringify(event);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Stripe-Signature": signature(body, secret, at) },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
