import { GatewayMisconfigured, GatewayTimeout, GatewayUnavailable } from "../port.ts";
import type { Stripe } from "./client.ts";

/** Stripe's refusal of a request that it may have executed. */
export type Refusal =
  /** The key was used with other parameters. */
  | { readonly kind: "key conflict" }
  /** The first request with the key is still running. */
  | { readonly kind: "key in use" }
  | {
      readonly kind: "declined";
      readonly code: string;
      readonly intent: Stripe.PaymentIntent | undefined;
      readonly paymentMethod: Stripe.PaymentMethod | undefined;
    }
  | { readonly kind: "invalid"; readonly code: string; readonly param: string }
  /** `replayed`: an error that Stripe stored under the key. Otherwise the request may have been executed just now. */
  | { readonly kind: "server error"; readonly replayed: boolean };

export type Asked<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

/** Codes of an account that may not charge, or of a key that is no longer valid. */
const ACCOUNT_CODES: ReadonlySet<string> = new Set([
  "account_invalid",
  "api_key_expired",
  "platform_api_key_expired",
  "secret_key_required",
  "testmode_charges_only",
]);

/** Errors of a connection that was never made, so that no request was sent. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/**
 * Asks Stripe once. The gateway errors carry Stripe's codes and the request's id, never Stripe's text.
 * @throws GatewayTimeout no answer
 * @throws GatewayUnavailable refused before it was executed (429, 503, no connection)
 * @throws GatewayMisconfigured our key is refused, or the account may not charge
 */
export async function ask<Answer>(call: () => Promise<Answer>): Promise<Asked<Answer>> {
  try {
    return { answer: await call() };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** As `ask`, for reading only; undefined if the object does not exist. @throws GatewayTimeout also on a refusal. */
export async function read<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  const asked = await ask(call);
  if ("answer" in asked) return asked.answer;
  const { refusal } = asked;
  if (refusal.kind === "invalid" && refusal.code === "resource_missing") return undefined;
  throw new GatewayTimeout(`Stripe did not answer a question (${refusal.kind})`);
}

function refusalOf(error: unknown): Refusal {
  if (!isStripeError(error)) throw error;
  const { statusCode: status, code = "" } = error;
  if (status === undefined) throw unanswered(error);
  const said = `${status}${/^[a-z_]+$/.test(code) ? ` ${code}` : ""}, request ${error.requestId ?? "unknown"}`;
  if (status === 401 || status === 403 || ACCOUNT_CODES.has(code)) {
    throw new GatewayMisconfigured(`Stripe refuses the key, or the account may not charge (${said})`);
  }
  if (status === 429 || status === 503) throw new GatewayUnavailable(`Stripe refused the request (${said})`);
  if (status === 409) return { kind: "key in use" };
  if (status >= 500) return { kind: "server error", replayed: error.headers?.["idempotent-replayed"] === "true" };
  if (error.rawType === "idempotency_error") return { kind: "key conflict" };
  if (error.rawType === "card_error") {
    const { payment_intent: intent, payment_method: paymentMethod } = error;
    return { kind: "declined", code: error.decline_code || code, intent, paymentMethod };
  }
  return { kind: "invalid", code, param: error.param ?? "" };
}

function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && "rawType" in error && "statusCode" in error;
}

function unanswered({ detail }: Stripe.errors.StripeError): GatewayTimeout | GatewayUnavailable {
  const cause = (detail as { readonly cause?: { readonly code?: unknown } } | undefined)?.cause;
  const code = String(cause?.code ?? "");
  return NEVER_SENT.has(code)
    ? new GatewayUnavailable(`Stripe is out of reach (${code})`)
    : new GatewayTimeout("Stripe has not answered in time");
}
