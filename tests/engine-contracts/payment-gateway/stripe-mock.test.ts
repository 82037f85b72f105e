import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { StripeGateway } from "@travel-booking/payment-gateway/stripe";
import { describeWith, startStripeMock } from "../../engines/index.ts";
import { signature } from "../../engines/stripe/index.ts";
import { chargeOf, MINUTE, refundOf, StripeUnderTest } from "../../stripe/kit/open-stripe.ts";

interface Checked {
  readonly request: string;
  readonly status: number;
  /** Of a refusal. */
  readonly error: string;
}

/** Hands requests on to the double, whose answers are answered, and to stripe-mock, whose verdicts are kept. */
class Checker {
  readonly checked: Checked[] = [];
  readonly #server: http.Server;

  constructor(double: string, mock: string) {
    this.#server = http.createServer(async (request, response) => {
      const body = await text(request);
      const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
      const method = request.method ?? "GET";
      const copy = { method, headers: headers as Record<string, string>, ...(method === "POST" && { body }) };
      const verdict = await fetch(`${mock}${request.url}`, copy);
      const said = await verdict.text();
      const path = request.url?.split("?")[0]?.replace(/\/(?:pi|re|dp)_[^/]+/, "/:id");
      this.checked.push({ request: `${method} ${path}`, status: verdict.status, error: verdict.ok ? "" : said });
      const answer = await fetch(`${double}${request.url}`, copy);
      response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
    });
  }

  async listen(): Promise<URL> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describeWith({ mock: startStripeMock }, "Stripe's schema", ({ mock }) => {
  let stripe: StripeUnderTest;
  beforeEach(async () => {
    stripe = await StripeUnderTest.start();
  });
  afterEach(() => stripe.stop());

  test("takes every request of the adapter, in its version of the API", async () => {
    const { double, context } = stripe;
    const checker = new Checker(double.url, mock.url);
    const { secretKey, webhookSecret } = double;
    const gateway = new StripeGateway({ secretKey, webhookSecret, apiUrl: await checker.listen() }, context);
    const inbound = async (type: string, id: string) => {
      const body = JSON.stringify({ type, data: { object: { id } } });
      const header = signature(body, webhookSecret, Math.floor(Date.now() / 1000));
      return gateway.inbound({ "stripe-signature": header }, Buffer.from(body))?.subjects();
    };
    try {
      await gateway.charge(chargeOf("pay_1", { token: "pm_card_visa", saveCard: true }));
      await gateway.charge(chargeOf("pay_2", { token: "pm_card_chargeDeclined" }));
      await gateway.cancelCharge(chargeOf("pay_3"));
      await gateway.chargeOutcome(chargeOf("pay_4"));
      await gateway.refund(refundOf("rfd_1"));
      const [payment] = double.payments();
      const disputeId = double.dispute(payment?.intentId ?? "", "fraudulent");
      await gateway.ledgerPage(Date.now() - MINUTE, undefined);
      await gateway.ledgerPage(Date.now() - MINUTE, payment?.intentId);
      await inbound("payment_intent.succeeded", payment?.intentId ?? "");
      await inbound("refund.updated", double.payments()[0]?.refunds[0]?.gatewayId ?? "");
      await inbound("charge.dispute.created", disputeId);
      expect(checker.checked.filter(({ status }) => status !== 200)).toStrictEqual([]);
      expect([...new Set(checker.checked.map(({ request }) => request))].sort()).toStrictEqual([
        "GET /v1/customers/search",
        "GET /v1/disputes",
        "GET /v1/disputes/:id",
        "GET /v1/payment_intents",
        "GET /v1/payment_intents/:id",
        "GET /v1/payment_intents/search",
        "GET /v1/refunds",
        "GET /v1/refunds/:id",
        "POST /v1/customers",
        "POST /v1/payment_intents",
        "POST /v1/payment_intents/:id/cancel",
        "POST /v1/refunds",
      ]);
      // A card by its token is in Stripe's guides, and not in its schema.
      checker.checked.length = 0;
      await gateway.charge(chargeOf("pay_5"));
      const error = expect.stringContaining("'payment_method_data' validation failed: object property 'type'");
      expect(checker.checked).toStrictEqual([{ request: "POST /v1/payment_intents", status: 400, error }]);
    } finally {
      checker.stop();
    }
  });

  test("has every field that the double shows", async () => {
    const fetched = async (url: string, path: string, key: string) => {
      const headers = { Authorization: `Bearer ${key}`, "Stripe-Version": "2026-08-26.dahlia" };
      const list = (await (await fetch(`${url}${path}`, { headers })).json()) as { readonly data: readonly object[] };
      return Object.keys(list.data[0] ?? {});
    };
    const gateway = stripe.gateway();
    await gateway.charge(chargeOf("pay_1", { saveCard: true }));
    await gateway.refund(refundOf("rfd_1"));
    stripe.double.dispute(stripe.double.payments()[0]?.intentId ?? "", "fraudulent");
    for (const kind of ["payment_intents", "charges", "refunds", "customers", "disputes", "events"]) {
      const path = `/v1/${kind}?limit=1`;
      const fields = await fetched(stripe.double.url, path, stripe.double.secretKey);
      const known = await fetched(mock.url, path, "sk_test_123");
      const unknown = fields.filter((field) => !known.includes(field));
      expect({ kind, unknown, isEmpty: fields.length === 0 }).toStrictEqual({ kind, unknown: [], isEmpty: false });
    }
  });
});
