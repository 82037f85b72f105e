import { noSuch } from "../failure.ts";
import type { Books } from "../objects/books.ts";
import { createCustomer } from "../objects/customers.ts";
import { page, searchPage } from "../objects/pages.ts";
import { cancelIntent, checkIntentParameters, createIntent } from "../objects/payment-intents.ts";
import { createRefund } from "../objects/refunds.ts";
import type { Shape } from "../objects/shape.ts";

export interface Call {
  readonly id: string;
  readonly params: Shape;
  /** Of the request, without its query. */
  readonly path: string;
  /** Unix time: search knows what was created up to then. */
  readonly searchedUpTo: number;
}

export interface Operation {
  /** What is refused without being executed. @throws StripeFailure */
  readonly check?: (params: Shape) => void;
  readonly execute: (books: Books, call: Call) => Shape;
}

type Stored = "intents" | "refunds" | "disputes" | "charges" | "customers" | "paymentMethods" | "events";

const retrieve = (kind: string, stored: Stored): Operation => ({
  execute(books, { id }) {
    const object = books[stored].get(id);
    if (object === undefined) throw noSuch(kind, id, "id", 404);
    return object;
  },
});
const list = (stored: Stored, ...filters: readonly string[]): Operation => ({
  execute: (books, { params, path }) => page(books[stored].values(), params, filters, path),
});
const search = (stored: "intents" | "customers"): Operation => ({
  execute: (books, { params, searchedUpTo, path }) => searchPage(books[stored].values(), params, searchedUpTo, path),
});

/** What the double can do, by method and path; `:id` stands for one part of it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /v1/payment_intents": {
    check: checkIntentParameters,
    execute: (books, { params }) => createIntent(books, params),
  },
  "GET /v1/payment_intents": list("intents", "customer"),
  "GET /v1/payment_intents/search": search("intents"),
  "GET /v1/payment_intents/:id": retrieve("payment_intent", "intents"),
  "POST /v1/payment_intents/:id/cancel": { execute: (books, { id, params }) => cancelIntent(books, id, params) },
  "POST /v1/refunds": { execute: (books, { params }) => createRefund(books, params) },
  "GET /v1/refunds": list("refunds", "payment_intent", "charge"),
  "GET /v1/refunds/:id": retrieve("refund", "refunds"),
  "POST /v1/customers": { execute: (books, { params }) => createCustomer(books, params) },
  "GET /v1/customers": list("customers", "email"),
  "GET /v1/customers/search": search("customers"),
  "GET /v1/customers/:id": retrieve("customer", "customers"),
  "GET /v1/payment_methods": list("paymentMethods", "customer", "type"),
  "GET /v1/payment_methods/:id": retrieve("PaymentMethod", "paymentMethods"),
  "GET /v1/charges": list("charges", "payment_intent", "customer"),
  "GET /v1/charges/:id": retrieve("charge", "charges"),
  "GET /v1/disputes": list("disputes", "payment_intent", "charge"),
  "GET /v1/disputes/:id": retrieve("dispute", "disputes"),
  "GET /v1/events": list("events", "type"),
  "GET /v1/events/:id": retrieve("event", "events"),
};

/** The name of the operation and the id in its path; a name that is in the path itself goes before an id. */
export function operationOf(method: string, path: string): { readonly name: string; readonly id: string } | undefined {
  if (Object.hasOwn(OPERATIONS, `${method} ${path}`)) return { name: `${method} ${path}`, id: "" };
  const [, start = "", id = "", rest = ""] = /^(\/v1\/[a-z_]+)\/([^/]+)(\/[a-z_]+)?$/.exec(path) ?? [];
  const name = `${method} ${start}/:id${rest}`;
  return Object.hasOwn(OPERATIONS, name) ? { name, id: decodeURIComponent(id) } : undefined;
}

/** The object with what the request wants in place of ids: `latest_charge`, in a page `data.latest_charge`. */
export function expanded(books: Books, object: Shape, expand: unknown): Shape {
  const fields = Array.isArray(expand) ? expand.map(String) : [];
  const copy = structuredClone(object);
  for (const field of fields) {
    const inPage = field.startsWith("data.");
    const name = inPage ? field.slice("data.".length) : field;
    for (const holder of inPage ? (copy.data as Shape[]) : [copy]) {
      const charge = books.charges.get(String(holder[name]));
      if (charge !== undefined) holder[name] = structuredClone(charge);
    }
  }
  return copy;
}
