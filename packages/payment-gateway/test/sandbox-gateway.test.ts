import { describe, expect, test } from "@jest/globals";
import { GatewayTimeout } from "../src/port.ts";
import { SANDBOX_TOKENS, SandboxGateway } from "../src/sandbox/index.ts";
import { InterleavingStateStore } from "./interleaving-state-store.ts";

const HEX = "0123456789abcdef0123456789abcdef";
const charge = (paymentId: string, token: string, amount = 5_000) =>
  ({
    paymentId,
    bookingId: "bkg_1",
    accountId: "acc_1",
    amount,
    currency: "USD",
    method: "card",
    saveCard: false,
    token,
  }) as const;
const refund = (paymentId: string, amount: number) => ({
  refundId: "rfd_1",
  attempt: 1,
  paymentId,
  amount,
  currency: "USD",
  reason: "duplicate",
});

describe("tokens", () => {
  test("there is one per outcome", () => {
    expect([...SANDBOX_TOKENS.keys()]).toStrictEqual([
      "tok_visa",
      "tok_mastercard",
      "tok_amex",
      "tok_discover",
      "tok_diners",
      "tok_jcb",
      "tok_unionpay",
      "tok_declined_card_declined",
      "tok_declined_insufficient_funds",
      "tok_declined_expired_card",
      "tok_declined_incorrect_cvc",
      "tok_declined_incorrect_number",
      "tok_declined_do_not_honor",
      "tok_declined_card_not_supported",
      "tok_declined_currency_not_supported",
      "tok_declined_authentication_required",
      "tok_declined_processing_error",
      "tok_declined_issuer_not_available",
      "tok_timeout",
    ]);
  });

  test.each([...SANDBOX_TOKENS.keys()])("%s does what its name says", async (token) => {
    const gateway = new SandboxGateway(new InterleavingStateStore());
    const failureCode = /^tok_declined_(.+)$/.exec(token)?.[1];
    const expected = failureCode === undefined ? { status: "succeeded" } : { status: "failed", failureCode };
    const answer = gateway.charge(charge("pay_1", token));
    if (token === "tok_timeout") await expect(answer).rejects.toThrow(GatewayTimeout);
    else expect(await answer).toStrictEqual(expected);
    expect(await gateway.chargeOutcome({ paymentId: "pay_1" })).toStrictEqual(expected);
  });

  test.each([
    ["tok_visa", "visa", "4242"],
    ["tok_mastercard", "mastercard", "4444"],
    ["tok_amex", "amex", "0005"],
    ["tok_discover", "discover", "1117"],
    ["tok_diners", "diners", "3237"],
    ["tok_jcb", "jcb", "0505"],
    ["tok_unionpay", "unionpay", "0000"],
    ["tok_declined_card_declined", "visa", "0002"],
    ["tok_timeout", "visa", "0119"],
  ])("%s is a %s ending in %s", async (token, brand, last4) => {
    const gateway = new SandboxGateway(new InterleavingStateStore());
    expect(gateway.describeToken(token, "card")).toStrictEqual({
      type: "card",
      card: { brand, last4, expMonth: 12, expYear: 2099 },
    });
  });

  test.each([
    "tok_unknown",
    "tok_declined",
    "tok_declined_",
    "tok_declined_superseded",
    "tok_declined_bank_transfer_expired",
    "tok_declined_booking_cancelled",
    "TOK_VISA",
    "tok_visa ",
    "__proto__",
    "",
  ])("%j is not a token", async (token) => {
    const gateway = new SandboxGateway(new InterleavingStateStore());
    expect(gateway.describeToken(token, "card")).toBeUndefined();
    expect(await gateway.charge(charge("pay_1", token))).toStrictEqual({
      status: "failed",
      failureCode: "incorrect_number",
    });
  });
});

describe("ledger", () => {
  test("counts the charges of one booking, not of another and not the declined", async () => {
    const gateway = new SandboxGateway(new InterleavingStateStore());
    const other = `${HEX.slice(0, -1)}0`;
    await gateway.charge(charge(`pay_${HEX}000000000001`, "tok_declined_card_declined"));
    await gateway.charge(charge(`pay_${HEX}000000000002`, "tok_visa"));
    await gateway.charge(charge(`pay_${other}000000000003`, "tok_visa"));
    await gateway.cancelCharge({ paymentId: `pay_${HEX}000000000004` });
    await gateway.refund(refund(`pay_${HEX}000000000002`, 1_000));
    expect(await gateway.ledger.chargesOf(`bkg_${HEX}`)).toStrictEqual([
      {
        kind: "charged",
        paymentId: `pay_${HEX}000000000002`,
        amount: 5_000,
        currency: "USD",
        outcome: { status: "succeeded" },
        refunds: [{ refundId: "rfd_1", amount: 1_000 }],
      },
    ]);
  });

  test("lists more entries than one page, in the order of their ids", async () => {
    const gateway = new SandboxGateway(new InterleavingStateStore());
    const ids = Array.from({ length: 1_001 }, (_, index) => `pay_${String(index).padStart(4, "0")}`);
    await Promise.all(ids.map((id) => gateway.charge(charge(id, "tok_visa"))));
    const listed: string[] = [];
    for await (const { paymentId } of gateway.ledger.entries()) listed.push(paymentId);
    expect(listed).toStrictEqual(ids);
  });

  test("a refused refund says why and leaves no trace", async () => {
    const gateway = new SandboxGateway(new InterleavingStateStore());
    await gateway.charge(charge(`pay_${HEX}1`, "tok_visa", 100));
    expect(await gateway.refund(refund(`pay_${HEX}1`, 101))).toStrictEqual({
      status: "failed",
      reason: "amount_too_large",
    });
    expect((await gateway.ledger.chargesOf(`bkg_${HEX}`))[0]?.refunds).toStrictEqual([]);
  });
});
