import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type ChargeOutcome, GatewayTimeout, type PaymentGateway, RefundRefused } from "../src/port.ts";

export interface GatewayUnderTest {
  readonly gateway: PaymentGateway;
  /** A second instance on the same books. */
  readonly other: PaymentGateway;
  readonly tokens: {
    readonly succeeds: string;
    readonly declined: string;
    readonly answerLost: string;
    readonly unknown: string;
  };
  /** The code a charge of `tokens.declined` fails with. */
  readonly declineCode: string;
  close(): Promise<void>;
}

const SUCCEEDED: ChargeOutcome = { status: "succeeded" };
const BARRED = { status: "barred" } as const;
const REFUSED_AS_BARRED: ChargeOutcome = { status: "failed", failureCode: "processing_error" };

/** What every engine of the payment gateway port keeps to. */
export function describePaymentGateway(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`payment gateway contract: ${name}`, () => {
    let it: GatewayUnderTest;
    beforeEach(async () => {
      it = await open();
    });
    afterEach(() => it.close());

    const chargeOf = (paymentId: string, token: string, amount = 12_000) => ({
      paymentId,
      amount,
      currency: "USD",
      token,
    });
    const refundOf = (refundId: string, amount: number) => ({ refundId, paymentId: "pay_1", amount, currency: "USD" });

    test("describes a card, a wallet and nothing unknown", async () => {
      const { succeeds, unknown } = it.tokens;
      const card = await it.gateway.describeToken(succeeds, "card");
      expect(card?.type).toBe("card");
      expect(await it.gateway.describeToken(succeeds, { walletType: "paypal" })).toStrictEqual({
        type: "wallet",
        wallet: { type: "paypal" },
      });
      expect(await it.gateway.describeToken(unknown, "card")).toBeUndefined();
      expect(await it.gateway.describeToken(unknown, { walletType: "paypal" })).toBeUndefined();
    });

    test("has no outcome of an id it has never seen, describing included", async () => {
      await it.gateway.describeToken(it.tokens.succeeds, "card");
      expect(await it.gateway.chargeOutcome("pay_1")).toBeUndefined();
    });

    test("remembers a success", async () => {
      expect(await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds))).toStrictEqual(SUCCEEDED);
      expect(await it.other.chargeOutcome("pay_1")).toStrictEqual(SUCCEEDED);
    });

    test("remembers a decline", async () => {
      const declined = { status: "failed", failureCode: it.declineCode };
      expect(await it.gateway.charge(chargeOf("pay_1", it.tokens.declined))).toStrictEqual(declined);
      expect(await it.other.chargeOutcome("pay_1")).toStrictEqual(declined);
    });

    test("answers the first outcome to the same id again, whatever the token", async () => {
      const first = await it.gateway.charge(chargeOf("pay_1", it.tokens.declined));
      expect(await it.other.charge(chargeOf("pay_1", it.tokens.succeeds))).toStrictEqual(first);
      expect(await it.gateway.chargeOutcome("pay_1")).toStrictEqual(first);
    });

    test("charges once when asked fifty times at once", async () => {
      const gateways = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? it.gateway : it.other));
      const outcomes = await Promise.all(
        gateways.map((gateway) => gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100))),
      );
      expect(outcomes).toStrictEqual(gateways.map(() => SUCCEEDED));
      await it.gateway.refund(refundOf("rfd_1", 100));
      await expect(it.gateway.refund(refundOf("rfd_2", 1))).rejects.toThrow(RefundRefused);
    });

    test("a lost answer is known by asking again", async () => {
      await expect(it.gateway.charge(chargeOf("pay_1", it.tokens.answerLost))).rejects.toThrow(GatewayTimeout);
      expect(await it.gateway.chargeOutcome("pay_1")).toStrictEqual(SUCCEEDED);
      expect(await it.gateway.cancelCharge("pay_1")).toStrictEqual(SUCCEEDED);
    });

    test("close answers the outcome of what was charged", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds));
      expect(await it.other.cancelCharge("pay_1")).toStrictEqual(SUCCEEDED);
      expect(await it.gateway.chargeOutcome("pay_1")).toStrictEqual(SUCCEEDED);
    });

    test("close bars what was not charged, for good", async () => {
      expect(await it.gateway.cancelCharge("pay_1")).toStrictEqual(BARRED);
      expect(await it.other.cancelCharge("pay_1")).toStrictEqual(BARRED);
      expect(await it.other.charge(chargeOf("pay_1", it.tokens.succeeds))).toStrictEqual(REFUSED_AS_BARRED);
      expect(await it.gateway.chargeOutcome("pay_1")).toStrictEqual(REFUSED_AS_BARRED);
      await expect(it.gateway.refund(refundOf("rfd_1", 1))).rejects.toThrow(RefundRefused);
    });

    test("of charge and close at once exactly one wins", async () => {
      for (let round = 0; round < 20; round += 1) {
        const paymentId = `pay_${round}`;
        const charge = () => it.gateway.charge(chargeOf(paymentId, it.tokens.succeeds));
        const close = () => it.other.cancelCharge(paymentId);
        const [charged, closed] =
          round % 2 === 0
            ? await Promise.all([charge(), close()])
            : await Promise.all([close(), charge()]).then(([first, second]) => [second, first] as const);
        const expected = charged.status === "succeeded" ? SUCCEEDED : BARRED;
        expect({ charged, closed }).toStrictEqual({
          charged: expected === SUCCEEDED ? SUCCEEDED : REFUSED_AS_BARRED,
          closed: expected,
        });
      }
    });

    test("refunds once per refund id", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      const requests = Array.from({ length: 20 }, () => it.gateway.refund(refundOf("rfd_1", 60)));
      await Promise.all(requests);
      await it.other.refund(refundOf("rfd_2", 40));
      await expect(it.gateway.refund(refundOf("rfd_3", 1))).rejects.toThrow(RefundRefused);
    });

    test("refunds at once never add up to more than was charged", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      const refunds = Array.from({ length: 10 }, (_, index) => it.gateway.refund(refundOf(`rfd_${index}`, 30)));
      const settled = await Promise.allSettled(refunds);
      expect(settled.filter(({ status }) => status === "fulfilled").length).toBe(3);
      await it.gateway.refund(refundOf("rfd_last", 10));
    });

    test.each([
      ["of a declined charge", "declined", "USD"],
      ["in another currency", "succeeds", "EUR"],
    ] as const)("refuses a refund %s", async (_case, token, currency) => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens[token]));
      await expect(it.gateway.refund({ ...refundOf("rfd_1", 1), currency })).rejects.toThrow(RefundRefused);
    });

    test("refuses a refund of a payment it has never seen", async () => {
      await expect(it.gateway.refund(refundOf("rfd_1", 1))).rejects.toThrow(RefundRefused);
    });
  });
}
