import { expect, test } from "@jest/globals";
import { GatewayMisconfigured, GatewayTimeout, GatewayUnavailable } from "../src/port.ts";
import { SandboxGateway } from "../src/sandbox/index.ts";
import { FaultyGateway } from "../testing/faulty-gateway.ts";
import { InterleavingStateStore } from "./interleaving-state-store.ts";

const CHARGE = {
  paymentId: "pay_1",
  bookingId: "bkg_1",
  accountId: "acc_1",
  amount: 100,
  currency: "USD",
  method: "card",
  saveCard: false,
  token: "tok_visa",
} as const;

test.each([
  ["timeout-before", GatewayTimeout, undefined],
  ["timeout-after", GatewayTimeout, { status: "succeeded" }],
  ["unavailable", GatewayUnavailable, undefined],
  ["misconfigured", GatewayMisconfigured, undefined],
] as const)("%s", async (fault, error, outcome) => {
  const sandbox = new SandboxGateway(new InterleavingStateStore());
  const gateway = new FaultyGateway(sandbox);
  gateway.failNext("charge", fault);
  await expect(gateway.charge(CHARGE)).rejects.toThrow(error);
  expect(await sandbox.chargeOutcome(CHARGE)).toStrictEqual(outcome);
  expect(await gateway.charge(CHARGE)).toStrictEqual({ status: "succeeded" });
  expect(gateway.callCount("charge")).toBe(2);
});

test("faults follow each other in the order they were scripted, per call", async () => {
  const gateway = new FaultyGateway(new SandboxGateway(new InterleavingStateStore()));
  gateway.failUnavailable("outcome", 2);
  gateway.failNext("outcome", "timeout-before");
  await expect(gateway.chargeOutcome(CHARGE)).rejects.toThrow(GatewayUnavailable);
  expect(await gateway.cancelCharge(CHARGE)).toStrictEqual({ status: "barred" });
  await expect(gateway.chargeOutcome(CHARGE)).rejects.toThrow(GatewayUnavailable);
  await expect(gateway.chargeOutcome(CHARGE)).rejects.toThrow(GatewayTimeout);
  expect(await gateway.chargeOutcome(CHARGE)).toStrictEqual({ status: "barred" });
  expect(gateway.callCount("refund")).toBe(0);
});
