import { describe, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { type ChargeRequest, GatewayTimeout, GatewayUnavailable } from "@travel-booking/payment-gateway";
import { SandboxGateway } from "@travel-booking/payment-gateway/sandbox";
import { FaultyGateway } from "@travel-booking/payment-gateway/testing";
import { chargeWithRetry } from "../../src/payments/create-payment.ts";

const charge: ChargeRequest = {
  paymentId: "pay_1",
  bookingId: "bkg_1",
  accountId: "acc_1",
  amount: 5_000,
  currency: "USD",
  method: "card",
  saveCard: false,
  token: "tok_visa",
};
const SUCCEEDED = { status: "succeeded" };

function setUp() {
  const sandbox = new SandboxGateway(new InMemoryStateStore());
  const gateway = new FaultyGateway(sandbox);
  const pauses: number[] = [];
  let now = 0;
  const time = {
    now: () => now,
    pause: async (milliseconds: number) => {
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
  return { gateway, pauses, sandbox, learn: (asked = charge) => chargeWithRetry(gateway, asked, time) };
}

describe("learning what became of a charge", () => {
  test("a gateway that answers is asked once", async () => {
    const { gateway, pauses, learn } = setUp();
    expect(await learn()).toStrictEqual(SUCCEEDED);
    expect([gateway.callCount("charge"), pauses]).toStrictEqual([1, []]);
  });

  test("a lost answer is asked for by the same request", async () => {
    const { gateway, pauses, learn } = setUp();
    expect(await learn({ ...charge, token: "tok_timeout" })).toStrictEqual(SUCCEEDED);
    expect([gateway.callCount("charge"), pauses]).toStrictEqual([2, [50]]);
  });

  test("a lost request is sent again under the same id", async () => {
    const { gateway, learn, sandbox } = setUp();
    gateway.failNext("charge", "timeout-before");
    expect(await learn()).toStrictEqual(SUCCEEDED);
    expect(gateway.callCount("charge")).toBe(2);
    expect(await sandbox.chargeOutcome(charge)).toStrictEqual(SUCCEEDED);
  });

  test("a decline is an outcome", async () => {
    const { learn } = setUp();
    expect(await learn({ ...charge, token: "tok_declined_do_not_honor" })).toStrictEqual({
      status: "failed",
      failureCode: "do_not_honor",
    });
  });

  test("asks with growing pauses, and gives up within ten seconds", async () => {
    const { gateway, pauses, learn } = setUp();
    gateway.failUnavailable("charge", 1_000);
    expect(await learn()).toBeInstanceOf(GatewayUnavailable);
    expect(pauses.slice(0, 6)).toStrictEqual([50, 100, 200, 400, 800, 1_000]);
    const waited = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(waited).toBeGreaterThan(9_000);
    expect(waited).toBeLessThanOrEqual(10_000);
  });

  test.each([
    ["first", ["timeout-before", ...Array(99).fill("unavailable")]],
    ["last", [...Array(12).fill("unavailable"), ...Array(99).fill("timeout-after")]],
  ] as const)("one answer lost, the %s: nobody knows whether it was charged", async (_when, faults) => {
    const { gateway, learn } = setUp();
    gateway.failNext("charge", ...faults);
    expect(await learn()).toBeInstanceOf(GatewayTimeout);
  });

  test("what is no time-out is not taken for one", async () => {
    const { gateway, learn } = setUp();
    gateway.charge = () => Promise.reject(new TypeError("a programming error"));
    await expect(learn()).rejects.toThrow(TypeError);
  });
});
