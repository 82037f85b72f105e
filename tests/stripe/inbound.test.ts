import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { GatewayUnavailable, type InboundEvent, type Subject } from "@travel-booking/payment-gateway";
import { signature } from "../engines/stripe/index.ts";
import { chargeOf, refundOf, StripeUnderTest } from "./kit/open-stripe.ts";

let stripe: StripeUnderTest;
beforeEach(async () => {
  stripe = await StripeUnderTest.start();
});
afterEach(() => stripe.stop());

describe("a signature", () => {
  const BODY = '{"type":"payment_intent.succeeded","data":{"object":{"id":"pi_1"}}}';
  const now = () => Math.floor(Date.now() / 1000);
  const read = (header: string | undefined, body = BODY) =>
    stripe.gateway().inbound({ "stripe-signature": header }, Buffer.from(body));
  const signed = (at: number, secret = "whsec_double", body = BODY) => signature(body, secret, at);

  test.each([0, -290, 290])("of %i seconds from now is good", (seconds) => {
    expect(read(signed(now() + seconds))).toBeDefined();
  });

  test.each([-310, 310])("of %i seconds from now is not", (seconds) => {
    expect(read(signed(now() + seconds))).toBeUndefined();
  });

  test.each([
    ["missing", () => undefined],
    ["empty", () => ""],
    ["of another secret", () => signed(now(), "whsec_other")],
    ["of another body", () => signed(now(), "whsec_double", `${BODY} `)],
    ["of another scheme", () => signed(now()).replace("v1=", "v0=")],
    ["without its time", () => signed(now()).replace(/^t=\d+,/, "")],
    ["with another time beside", () => signed(now() - 400).replace(/^t=\d+/, (t) => `${t},t=${now()}`)],
    ["a word", () => "signature"],
  ])("that is %s is refused", (_case, header) => {
    expect(read(header())).toBeUndefined();
  });

  test("one of several may be ours: Stripe signs with the old and the new secret for a while", () => {
    const [at, good] = signed(now()).split(",");
    expect(read(`${at},v1=${"0".repeat(64)},${good}`)).toBeDefined();
  });

  test.each(["", "no JSON", "null", "[]", '{"type":7}'])("under the body %j changes nothing", async (body) => {
    const event = read(signed(now(), "whsec_double", body), body);
    expect((await event?.subjects()) ?? []).toStrictEqual([]);
  });
});

describe("events", () => {
  /** What the gateway makes of all events, posted so. */
  async function subjects(options: { readonly times?: number; readonly backwards?: boolean } = {}) {
    const events: InboundEvent[] = [];
    const server = http.createServer(async (request, response) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const event = stripe.gateway().inbound(headers, await buffer(request));
      if (event !== undefined) events.push(event);
      response.writeHead(event === undefined ? 400 : 200).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const statuses = await stripe.double.deliver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
    server.close();
    expect(new Set(statuses)).toStrictEqual(new Set([200]));
    const found: Subject[] = [];
    for (const event of events) found.push(...(await event.subjects()));
    return found;
  }
  const distinct = (found: readonly Subject[]) => [...new Set(found.map((subject) => JSON.stringify(subject)))].sort();

  test("name the payment, the refund and the dispute, whatever their order and number", async () => {
    await stripe.gateway().charge(chargeOf("pay_1"));
    await stripe.gateway().refund(refundOf("rfd_1"));
    const intentId = stripe.double.payments()[0]?.intentId ?? "";
    stripe.double.refundByHand(intentId, 100);
    const disputeId = stripe.double.dispute(intentId, "fraudulent");
    const once = distinct(await subjects());
    const dispute = { disputeId, paymentId: "pay_1", amount: 12_000, currency: "USD" };
    expect(once.map((subject) => JSON.parse(subject) as Subject)).toStrictEqual([
      { kind: "charge", paymentId: "pay_1" },
      { kind: "dispute", dispute: { ...dispute, reason: "fraudulent", status: "needs_response" } },
      { kind: "refund", refundId: "rfd_1" },
    ]);
    expect(distinct(await subjects({ times: 3, backwards: true }))).toStrictEqual(once);
  });

  test("of objects that Stripe does not have name nothing", async () => {
    const body = '{"type":"refund.failed","data":{"object":{"id":"re_other_account"}}}';
    const header = signature(body, "whsec_double", Math.floor(Date.now() / 1000));
    const event = stripe.gateway().inbound({ "stripe-signature": header }, Buffer.from(body));
    expect(await event?.subjects()).toStrictEqual([]);
  });

  test("wait while Stripe is out of reach", async () => {
    const body = '{"type":"refund.failed","data":{"object":{"id":"re_1"}}}';
    const header = signature(body, "whsec_double", Math.floor(Date.now() / 1000));
    stripe.double.failNext("GET /v1/refunds/:id", "503");
    const event = stripe.gateway().inbound({ "stripe-signature": header }, Buffer.from(body));
    await expect(event?.subjects()).rejects.toThrow(GatewayUnavailable);
  });
});
