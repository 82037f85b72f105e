import { invalidRequest, noSuch, StripeFailure } from "../failure.ts";
import type { Books, Charge, Intent, Metadata, PaymentMethod } from "./books.ts";
import { createDispute } from "./disputes.ts";
import { cardOf, chosenPaymentMethod } from "./payment-methods.ts";
import type { Shape } from "./shape.ts";

const KNOWN_PARAMETERS = new Set([
  "amount",
  "currency",
  "confirm",
  "customer",
  "error_on_requires_action",
  "expand",
  "metadata",
  "payment_method",
  "payment_method_data",
  "payment_method_types",
  "setup_future_usage",
]);
const CURRENCIES = new Set([
  "usd",
  "eur",
  "gbp",
  "chf",
  "jpy",
  "krw",
  "isk",
  "ugx",
  "mga",
  "kwd",
  "bhd",
  "jod",
  "omr",
  "tnd",
]);
const THREE_DECIMALS = new Set(["kwd", "bhd", "jod", "omr", "tnd"]);
const TWO_ZEROS = new Set(["isk", "ugx"]);
const SMALLEST = 50;
const LARGEST = 99_999_999;

/** What is refused before a request counts as executed: its key stays free. @throws StripeFailure 400 */
export function checkIntentParameters(params: Shape): void {
  for (const name of Object.keys(params)) {
    if (!KNOWN_PARAMETERS.has(name)) {
      throw invalidRequest(`Received unknown parameter: ${name}`, { code: "parameter_unknown", param: name });
    }
  }
  for (const name of ["amount", "currency"]) {
    if (params[name] === undefined) {
      throw invalidRequest(`Missing required param: ${name}.`, { code: "parameter_missing", param: name });
    }
  }
  if (!/^\d+$/.test(String(params.amount))) {
    throw invalidRequest("Invalid integer", { code: "parameter_invalid_integer", param: "amount" });
  }
}

function checkMoney(amount: number, currency: string): void {
  if (!CURRENCIES.has(currency)) throw invalidRequest(`Invalid currency: ${currency}.`, { param: "currency" });
  if (amount < SMALLEST) throw invalidRequest("Amount too small", { code: "amount_too_small", param: "amount" });
  if (amount > LARGEST) throw invalidRequest("Amount too large", { code: "amount_too_large", param: "amount" });
  const unit = THREE_DECIMALS.has(currency) ? 10 : TWO_ZEROS.has(currency) ? 100 : 1;
  if (amount % unit !== 0) throw invalidRequest(`The amount must be a multiple of ${unit}.`, { param: "amount" });
}

export function createIntent(books: Books, params: Shape): Shape {
  const [amount, currency] = [Number(params.amount), String(params.currency)];
  checkMoney(amount, currency);
  const customer = (params.customer as string | undefined) ?? null;
  if (customer !== null && !books.customers.has(customer)) throw noSuch("customer", customer, "customer");
  const confirmed = params.confirm === "true";
  const method = confirmed ? chosenPaymentMethod(books, params, customer) : undefined;
  const id = books.newId("pi");
  const intent: Intent = {
    id,
    object: "payment_intent",
    amount,
    amount_received: 0,
    amount_capturable: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_double`,
    confirmation_method: "automatic",
    created: books.clock.seconds(),
    currency,
    customer,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: (params.metadata as Metadata | undefined) ?? {},
    payment_method: null,
    payment_method_types: ["card"],
    setup_future_usage: params.setup_future_usage ?? null,
    status: "requires_payment_method",
  };
  books.intents.set(id, intent);
  books.emit("payment_intent.created", intent);
  if (method !== undefined) confirm(books, intent, method);
  return intent;
}

/** @throws StripeFailure 402: declined. */
function confirm(books: Books, intent: Intent, method: PaymentMethod): void {
  const card = cardOf(method);
  const { decline } = card;
  const charge: Charge = {
    id: books.newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_refunded: 0,
    created: books.clock.seconds(),
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: decline?.code ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid: decline === undefined,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card: method.card },
    refunded: false,
    status: decline === undefined ? "succeeded" : "failed",
  };
  books.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  if (decline === undefined) {
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    intent.payment_method = method.id;
    if (intent.setup_future_usage !== null && intent.customer !== null) method.customer = intent.customer;
    books.emit("charge.succeeded", charge);
    books.emit("payment_intent.succeeded", intent);
    if (card.disputed) createDispute(books, charge, "fraudulent");
    return;
  }
  const { code, declineCode } = decline;
  const error = {
    type: "card_error",
    code,
    ...(declineCode !== undefined && { decline_code: declineCode }),
    message: "Your card was declined.",
    charge: charge.id,
    payment_method: structuredClone(method),
  };
  intent.last_payment_error = error;
  books.emit("charge.failed", charge);
  books.emit("payment_intent.payment_failed", intent);
  throw new StripeFailure(402, { ...error, payment_intent: structuredClone(intent) });
}

export function cancelIntent(books: Books, id: string, params: Shape): Shape {
  const intent = books.intents.get(id);
  if (intent === undefined) throw noSuch("payment_intent", id, "intent", 404);
  if (intent.status !== "requires_payment_method") {
    throw invalidRequest(`An intent that is ${intent.status} can't be canceled.`, {
      code: "payment_intent_unexpected_state",
      payment_intent: structuredClone(intent),
    });
  }
  intent.status = "canceled";
  intent.canceled_at = books.clock.seconds();
  intent.cancellation_reason = params.cancellation_reason ?? null;
  books.emit("payment_intent.canceled", intent);
  return intent;
}
