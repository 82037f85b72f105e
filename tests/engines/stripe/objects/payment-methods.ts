import { invalidRequest, noSuch } from "../failure.ts";
import type { Books, PaymentMethod } from "./books.ts";
import type { Shape } from "./shape.ts";
import { cardShape, type TestCard, testCard } from "./test-cards.ts";

/** The card of each payment method that the double made itself. */
const cards = new WeakMap<PaymentMethod, TestCard>();

export function createPaymentMethod(books: Books, card: TestCard): PaymentMethod {
  const method: PaymentMethod = {
    id: books.newId("pm"),
    object: "payment_method",
    type: "card",
    created: books.clock.seconds(),
    customer: null,
    livemode: false,
    metadata: {},
    card: cardShape(card),
  };
  cards.set(method, card);
  books.paymentMethods.set(method.id, method);
  return method;
}

export function cardOf(method: PaymentMethod): TestCard {
  const card = cards.get(method);
  if (card === undefined) throw new Error(`the double has no card of ${method.id}`);
  return card;
}

/**
 * What a payment is to be made with: `payment_method` or `payment_method_data[card][token]`.
 * @throws StripeFailure Stripe does not know it, or it belongs to another customer.
 */
export function chosenPaymentMethod(books: Books, params: Shape, customer: string | null): PaymentMethod {
  const id = params.payment_method as string | undefined;
  if (id === undefined) {
    const data = params.payment_method_data as { type?: string; card?: { token?: string } } | undefined;
    const token = data?.card?.token;
    if (data?.type !== "card" || token === undefined)
      throw invalidRequest("no payment method", { code: "parameter_missing" });
    const card = testCard(token);
    if (card === undefined || !token.startsWith("tok_"))
      throw noSuch("token", token, "payment_method_data[card][token]");
    return createPaymentMethod(books, card);
  }
  const known = books.paymentMethods.get(id);
  if (known === undefined) {
    const card = id.startsWith("pm_") ? testCard(id) : undefined;
    if (card === undefined) throw noSuch("PaymentMethod", id, "payment_method");
    return createPaymentMethod(books, card);
  }
  if (known.customer !== customer) {
    throw invalidRequest("The payment method belongs to a customer, which must be named.", { param: "payment_method" });
  }
  return known;
}
