import { expect, test } from "@jest/globals";
import { GatewayTimeout, GatewayUnavailable, SandboxGateway } from "../src/index.ts";
import { FaultyGateway } from "../testing/faulty-gateway.ts";
import { MemoryStateStore } from "./memory-state-store.ts";

const CHARGE = { paymentId: "pay_1", amount: 100, currency: "USD", token: "tok_visa" };

test.each([
  ["timeout-before", GatewayTimeout, undefined],
  ["timeout-after", GatewayTimeout, { status: "succeeded" }],
  ["unavailable", GatewayUnavailable, undefined],
] as const)("%s", async (fault, error, outcome) => {
  const sandbox = new SandboxGateway(new MemoryStateStore());
  const gateway = new FaultyGateway(sandbox);
  gateway.failNext("charge", fault);
  await expect(gateway.charge(CHARGE)).rejects.toThrow(error);
  expect(await sandbox.outcome("pay_1")).toStrictEqual(outcome);
  expect(await gateway.charge(CHARGE)).toStrictEqual({ status: "succeeded" });
  expect(gateway.callsOf("charge")).toBe(2);
});

test("faults follow each other in the order they were scripted, per call", async () => {
  const gateway = new FaultyGateway(new SandboxGateway(new MemoryStateStore()));
  gateway.unavailableFor("outcome", 2);
  gateway.failNext("outcome", "timeout-before");
  await expect(gateway.outcome("pay_1")).rejects.toThrow(GatewayUnavailable);
  expect(await gateway.close("pay_1")).toStrictEqual({ status: "barred" });
  await expect(gateway.outcome("pay_1")).rejects.toThrow(GatewayUnavailable);
  await expect(gateway.outcome("pay_1")).rejects.toThrow(GatewayTimeout);
  expect(await gateway.outcome("pay_1")).toStrictEqual({ status: "failed", failureCode: "processing_error" });
  expect(gateway.callsOf("refund")).toBe(0);
});
