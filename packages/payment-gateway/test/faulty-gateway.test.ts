import { expect, test } from "@jest/globals";
import { GatewayTimeout, GatewayUnavailable } from "../src/port.ts";
import { SandboxGateway } from "../src/sandbox/index.ts";
import { FaultyGateway } from "../testing/faulty-gateway.ts";
import { InterleavingStateStore } from "./interleaving-state-store.ts";

const CHARGE = { paymentId: "pay_1", amount: 100, currency: "USD", token: "tok_visa" };

test.each([
  ["timeout-before", GatewayTimeout, undefined],
  ["timeout-after", GatewayTimeout, { status: "succeeded" }],
  ["unavailable", GatewayUnavailable, undefined],
] as const)("%s", async (fault, error, outcome) => {
  const sandbox = new SandboxGateway(new InterleavingStateStore());
  const gateway = new FaultyGateway(sandbox);
  gateway.failNext("charge", fault);
  await expect(gateway.charge(CHARGE)).rejects.toThrow(error);
  expect(await sandbox.chargeOutcome("pay_1")).toStrictEqual(outcome);
  expect(await gateway.charge(CHARGE)).toStrictEqual({ status: "succeeded" });
  expect(gateway.callCount("charge")).toBe(2);
});

test("faults follow each other in the order they were scripted, per call", async () => {
  const gateway = new FaultyGateway(new SandboxGateway(new InterleavingStateStore()));
  gateway.failUnavailable("outcome", 2);
  gateway.failNext("outcome", "timeout-before");
  await expect(gateway.chargeOutcome("pay_1")).rejects.toThrow(GatewayUnavailable);
  expect(await gateway.cancelCharge("pay_1")).toStrictEqual({ status: "barred" });
  await expect(gateway.chargeOutcome("pay_1")).rejects.toThrow(GatewayUnavailable);
  await expect(gateway.chargeOutcome("pay_1")).rejects.toThrow(GatewayTimeout);
  expect(await gateway.chargeOutcome("pay_1")).toStrictEqual({ status: "failed", failureCode: "processing_error" });
  expect(gateway.callCount("refund")).toBe(0);
});
