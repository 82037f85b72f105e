import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type ChargeOutcome, GatewayTimeout, type LedgerCharge, type PaymentGateway } from "../src/port.ts";

export interface GatewayUnderTest {
  readonly gateway: PaymentGateway;
  /** A second instance on the same books. */
  readonly other: PaymentGateway;
  readonly tokens: {
    readonly succeeds: string;
    readonly declined: string;
    readonly answerLost: string;
    /** Can't be one. */
    readonly malformed: string;
  };
  /** The code a charge of `tokens.declined` fails with. */
  readonly declineCode: string;
  close(): Promise<void>;
}

/** Whatever details the gateway adds. */
const SUCCEEDED: ChargeOutcome = { status: "succeeded" };
const REFUNDED = { status: "succeeded" } as const;
const REFUSED = { status: "failed", reason: expect.stringMatching(/^[a-z_]+$/) } as const;
const BARRED = { status: "barred" } as const;

/** What every engine of the payment gateway port keeps to. */
export function describePaymentGateway(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`payment gateway contract: ${name}`, () => {
    let it: GatewayUnderTest;
    beforeEach(async () => {
      it = await open();
    });
    afterEach(() => it.close());

    const asked = (paymentId: string, amount = 12_000) =>
      ({
        paymentId,
        bookingId: "bkg_1",
        accountId: "acc_1",
        amount,
        currency: "USD",
        method: "card",
        saveCard: false,
      }) as const;
    const chargeOf = (paymentId: string, token: string, amount?: number) => ({ ...asked(paymentId, amount), token });
    const refundOf = (refundId: string, amount: number, attempt = 1) => ({
      refundId,
      attempt,
      paymentId: "pay_1",
      amount,
      currency: "USD",
      reason: "requested_by_customer",
    });

    test("describes a card, a wallet and nothing that can't be a token", () => {
      const { succeeds, malformed } = it.tokens;
      const card = it.gateway.describeToken(succeeds, "card");
      expect(card?.type).toBe("card");
      expect(it.gateway.describeToken(succeeds, { walletType: "paypal" })).toStrictEqual({
        type: "wallet",
        wallet: { type: "paypal" },
      });
      expect(it.gateway.describeToken(malformed, "card")).toBeUndefined();
      expect(it.gateway.describeToken(malformed, { walletType: "paypal" })).toBeUndefined();
    });

    test("has no outcome of an id it has never seen", async () => {
      expect(await it.gateway.chargeOutcome(asked("pay_1"))).toBeUndefined();
    });

    test("remembers a success", async () => {
      expect(await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds))).toMatchObject(SUCCEEDED);
      expect(await it.other.chargeOutcome(asked("pay_1"))).toMatchObject(SUCCEEDED);
    });

    test("remembers a decline", async () => {
      const declined = { status: "failed", failureCode: it.declineCode };
      expect(await it.gateway.charge(chargeOf("pay_1", it.tokens.declined))).toMatchObject(declined);
      expect(await it.other.chargeOutcome(asked("pay_1"))).toMatchObject(declined);
    });

    test("answers the first outcome to the same id again, whatever the token", async () => {
      const first = await it.gateway.charge(chargeOf("pay_1", it.tokens.declined));
      expect(await it.other.charge(chargeOf("pay_1", it.tokens.succeeds))).toStrictEqual(first);
      expect(await it.gateway.chargeOutcome(asked("pay_1"))).toStrictEqual(first);
    });

    test("charges once when asked fifty times at once", async () => {
      const gateways = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? it.gateway : it.other));
      const outcomes = await Promise.all(
        gateways.map((gateway) => gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100))),
      );
      expect(outcomes).toMatchObject(gateways.map(() => SUCCEEDED));
      await it.gateway.refund(refundOf("rfd_1", 100));
      expect(await it.gateway.refund(refundOf("rfd_2", 1))).toStrictEqual(REFUSED);
    });

    test("a lost answer is known by asking again", async () => {
      await expect(it.gateway.charge(chargeOf("pay_1", it.tokens.answerLost))).rejects.toThrow(GatewayTimeout);
      expect(await it.gateway.chargeOutcome(asked("pay_1"))).toMatchObject(SUCCEEDED);
      expect(await it.gateway.cancelCharge(asked("pay_1"))).toMatchObject(SUCCEEDED);
    });

    test("close answers the outcome of what was charged", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds));
      expect(await it.other.cancelCharge(asked("pay_1"))).toMatchObject(SUCCEEDED);
      expect(await it.gateway.chargeOutcome(asked("pay_1"))).toMatchObject(SUCCEEDED);
    });

    test("close bars what was not charged, for good", async () => {
      expect(await it.gateway.cancelCharge(asked("pay_1"))).toStrictEqual(BARRED);
      expect(await it.other.cancelCharge(asked("pay_1"))).toStrictEqual(BARRED);
      expect(await it.other.charge(chargeOf("pay_1", it.tokens.succeeds))).toStrictEqual(BARRED);
      expect(await it.gateway.chargeOutcome(asked("pay_1"))).toStrictEqual(BARRED);
      expect(await it.gateway.refund(refundOf("rfd_1", 1))).toStrictEqual(REFUSED);
    });

    test("finish answers the outcome of what was charged, and bars what nobody began", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.declined));
      expect(await it.other.finishCharge(asked("pay_1"))).toMatchObject({ failureCode: it.declineCode });
      expect(await it.other.finishCharge(asked("pay_2"))).toStrictEqual(BARRED);
      expect(await it.gateway.charge(chargeOf("pay_2", it.tokens.succeeds))).toStrictEqual(BARRED);
    });

    test("of charge and close at once exactly one wins", async () => {
      for (let round = 0; round < 20; round += 1) {
        const paymentId = `pay_${round}`;
        const charge = () => it.gateway.charge(chargeOf(paymentId, it.tokens.succeeds));
        const close = () => it.other.cancelCharge(asked(paymentId));
        const [charged, closed] =
          round % 2 === 0
            ? await Promise.all([charge(), close()])
            : await Promise.all([close(), charge()]).then(([first, second]) => [second, first] as const);
        const expected = charged.status === "succeeded" ? SUCCEEDED : BARRED;
        expect({ charged, closed }).toMatchObject({
          charged: expected,
          closed: expected,
        });
      }
    });

    test("knows how far a refund is, and nothing of one it has never seen", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      expect(await it.other.refundOutcome(refundOf("rfd_1", 60))).toBeUndefined();
      expect(await it.gateway.refund(refundOf("rfd_1", 60))).toStrictEqual(REFUNDED);
      expect(await it.other.refundOutcome(refundOf("rfd_1", 60))).toStrictEqual(REFUNDED);
    });

    test("a refused refund may be sent again as another attempt", async () => {
      expect(await it.gateway.refund(refundOf("rfd_1", 60))).toStrictEqual(REFUSED);
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      expect(await it.gateway.refund(refundOf("rfd_1", 60, 2))).toStrictEqual(REFUNDED);
      expect(await it.gateway.refundOutcome(refundOf("rfd_1", 60, 2))).toStrictEqual(REFUNDED);
    });

    test("its ledger has every charge that took money, with what was refunded, page by page", async () => {
      const begun = Math.floor(Date.now() / 1_000) * 1_000;
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      await it.gateway.charge(chargeOf("pay_2", it.tokens.declined, 100));
      await it.gateway.charge(chargeOf("pay_3", it.tokens.succeeds, 300));
      await it.gateway.cancelCharge(asked("pay_4"));
      await it.gateway.refund(refundOf("rfd_1", 60));
      const charges: LedgerCharge[] = [];
      let after: string | undefined;
      do {
        const page = await it.other.ledgerPage(0, after);
        charges.push(...page.charges);
        after = page.next;
      } while (after !== undefined);
      charges.sort((one, other) => String(one.paymentId).localeCompare(String(other.paymentId)));
      const gatewayId = expect.any(String);
      const refund = { gatewayId, refundId: "rfd_1", amount: 60, status: "succeeded" };
      const shared = { gatewayId, currency: "USD", isSecond: false, disputes: [] };
      const [first, second] = charges.map(({ createdAt }) => createdAt);
      expect(charges).toStrictEqual([
        { ...shared, paymentId: "pay_1", createdAt: first, amount: 100, refunds: [refund] },
        { ...shared, paymentId: "pay_3", createdAt: second, amount: 300, refunds: [] },
      ]);
      // To the second; a gateway may not tell.
      expect(first === null || (first ?? 0) >= begun).toBe(true);
    });

    test("refunds once per refund id", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      const requests = Array.from({ length: 20 }, () => it.gateway.refund(refundOf("rfd_1", 60)));
      await Promise.all(requests);
      await it.other.refund(refundOf("rfd_2", 40));
      expect(await it.gateway.refund(refundOf("rfd_3", 1))).toStrictEqual(REFUSED);
    });

    test("refunds at once never add up to more than was charged", async () => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens.succeeds, 100));
      const refunds = Array.from({ length: 10 }, (_, index) => it.gateway.refund(refundOf(`rfd_${index}`, 30)));
      const answers = await Promise.all(refunds);
      expect(answers.filter(({ status }) => status === "succeeded").length).toBe(3);
      await it.gateway.refund(refundOf("rfd_last", 10));
    });

    test.each([
      ["of a declined charge", "declined", "USD"],
      ["in another currency", "succeeds", "EUR"],
    ] as const)("refuses a refund %s", async (_case, token, currency) => {
      await it.gateway.charge(chargeOf("pay_1", it.tokens[token]));
      expect(await it.gateway.refund({ ...refundOf("rfd_1", 1), currency })).toStrictEqual(REFUSED);
    });

    test("refuses a refund of a payment it has never seen", async () => {
      expect(await it.gateway.refund(refundOf("rfd_1", 1))).toStrictEqual(REFUSED);
    });
  });
}
