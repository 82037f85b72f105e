import { describe, expect, test } from "@jest/globals";
import { GatewayTimeout, type InboundEvent, type Subject } from "@travel-booking/payment-gateway";
import { InboundEvents } from "../../src/payments/inbound-events.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** A gateway whose events say what they are about; `forged` is not its own. */
async function receiving() {
  const service = await Service.start();
  const { systems } = service;
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const seen: unknown[] = [];
  const gateway = Object.assign(Object.create(service.services.gateway), {
    inbound(headers: object, body: Uint8Array): InboundEvent | undefined {
      seen.push(headers);
      const said = Buffer.from(body).toString();
      if (said === "forged") return undefined;
      return { subjects: async () => JSON.parse(said) as Subject[] };
    },
  });
  const events = new InboundEvents({ ...service.services, gateway });
  const post = async (said: unknown) => {
    const body = Buffer.from(typeof said === "string" ? said : JSON.stringify(said));
    const raw = { request: { headers: { signature: "s", "set-cookie": ["a", "b"] } } };
    const [route] = events.routes("test");
    const answer = await route?.handler({ body, raw } as never);
    await events.settled();
    return answer?.status;
  };
  await systems.newEvents();
  return { service, systems, booking, events, post, seen, gateway };
}

describe("events of the payment gateway", () => {
  test("come to a path of its own, and have none where it sends none", async () => {
    const { events, service } = await receiving();
    expect(events.routes("test").map(({ method, path }) => [method, path])).toStrictEqual([
      ["POST", "/gateways/test/webhooks"],
    ]);
    expect(new InboundEvents(service.services).routes("sandbox")).toStrictEqual([]);
  });

  test("are judged by the gateway, with their headers: a forged one is 400 and has no effect", async () => {
    const { systems, post, seen } = await receiving();
    expect(await post("forged")).toBe(400);
    expect(seen).toStrictEqual([{ signature: "s", "set-cookie": "a,b" }]);
    expect(await systems.newEventTypes()).toStrictEqual([]);
  });

  test("make the service look at a charge; repeated or out of order they change nothing", async () => {
    const { service, systems, booking, post } = await receiving();
    const lost = Array.from({ length: 15 }, () => "timeout-after" as const);
    systems.gateway.failNext("charge", ...lost);
    expect((await service.pay(booking.id)).status).toBe(500);
    const [entry] = await systems.ledger();
    const about = [{ kind: "charge", paymentId: entry?.paymentId }];
    expect(await Promise.all([post(about), post(about), post(about)])).toStrictEqual([204, 204, 204]);
    expect(await systems.newEventTypes()).toStrictEqual(["PaymentStarted", "PaymentSucceeded", "BookingConfirmed"]);
    expect(await post(about)).toBe(204);
    expect(await systems.newEventTypes()).toStrictEqual([]);
  });

  test("tell of refunds that failed after they had arrived, and of disputes", async () => {
    const { service, systems, booking, post } = await receiving();
    const { body: payment } = await service.pay(booking.id);
    const { body: refund } = await service.refund(payment.id, { amount: 100 });
    await systems.newEvents();
    systems.gateway.refundOutcome = async () => ({ status: "failed", reason: "expired_or_canceled_card" });
    const about = [{ kind: "refund", refundId: refund.id }];
    for (let time = 0; time < 3; time += 1) expect(await post(about)).toBe(204);
    expect(await systems.newEventTypes()).toStrictEqual(["RefundFailed"]);
    const dispute = { disputeId: "dp_1", paymentId: payment.id, amount: 5, currency: "USD", reason: "general" };
    for (const status of ["needs_response", "needs_response", "lost", "lost"]) {
      expect(await post([{ kind: "dispute", dispute: { ...dispute, status } }])).toBe(204);
    }
    expect(await systems.newEventTypes()).toStrictEqual(["PaymentDisputed", "PaymentDisputed"]);
  });

  test("about nothing, or nothing of ours, are taken and have no effect", async () => {
    const { systems, post } = await receiving();
    const unknown = `pay_${"0".repeat(44)}`;
    const dispute = { disputeId: "d", paymentId: unknown, amount: 1, currency: "USD", reason: "r", status: "s" };
    expect(await post([])).toBe(204);
    expect(
      await post([
        { kind: "charge", paymentId: "pi_other" },
        { kind: "refund", refundId: "re_other" },
        { kind: "dispute", dispute: { ...dispute, paymentId: "other" } },
        { kind: "charge", paymentId: unknown },
        { kind: "refund", refundId: `rfd_${"0".repeat(44)}` },
        { kind: "dispute", dispute },
      ]),
    ).toBe(204);
    expect(await systems.newEventTypes()).toStrictEqual([]);
  });

  test("are followed up again while the gateway does not answer, and given up after half a minute", async () => {
    const { systems, events, gateway } = await receiving();
    let asked = 0;
    const unanswered = (times: number) => ({
      async subjects() {
        asked += 1;
        if (asked <= times) throw new GatewayTimeout("no answer");
        return [];
      },
    });
    for (const [times, expected] of [
      [3, 4],
      [1_000, 35],
    ] as const) {
      asked = 0;
      gateway.inbound = () => unanswered(times);
      const [route] = events.routes("test");
      await route?.handler({ body: Buffer.alloc(0), raw: { request: { headers: {} } } } as never);
      await events.settled();
      expect(asked).toBeLessThanOrEqual(expected);
    }
    expect(systems.waitedMs).toBeLessThanOrEqual(31_000);
    expect(asked).toBeGreaterThan(25);
  });

  test("are acknowledged once what they tell is recorded, so that a crash loses none", async () => {
    const { systems, service, events, booking, gateway } = await receiving();
    const { body: payment } = await service.pay(booking.id);
    await systems.newEvents();
    const dispute = { disputeId: "dp_1", paymentId: payment.id, amount: 5, currency: "USD", reason: "r", status: "s" };
    const told = Promise.withResolvers<readonly Subject[]>();
    gateway.inbound = () => ({ subjects: () => told.promise });
    const [route] = events.routes("test");
    const asked = { body: Buffer.alloc(0), raw: { request: { headers: {} } } } as never;
    expect(await route?.handler(asked)).toMatchObject({ status: 503 });
    told.resolve([{ kind: "dispute", dispute }]);
    expect(await route?.handler(asked)).toMatchObject({ status: 204 });
    expect(await systems.newEventTypes()).toStrictEqual(["PaymentDisputed"]);
  });

  test("that could not be followed up are sent again", async () => {
    const { gateway, post } = await receiving();
    gateway.inbound = () => ({ subjects: () => Promise.reject(new Error("a defect")) });
    expect(await post([])).toBe(503);
  });

  test("a body that could not be read is 400", async () => {
    const { events } = await receiving();
    const [route] = events.routes("test");
    const answer = await route?.handler({ body: { problem: "body must have at most 5 bytes" } } as never);
    expect(answer?.status).toBe(400);
  });
});
