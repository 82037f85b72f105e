import { describe, expect, test } from "@jest/globals";
import { SettingsError } from "@travel-booking/runtime";
import { chooseGateway, GATEWAYS } from "../src/gateways.ts";
import type { GatewayDefinition } from "../src/port.ts";
import { SandboxGateway } from "../src/sandbox/index.ts";
import { FaultyGateway } from "../testing/faulty-gateway.ts";
import { InterleavingStateStore } from "./interleaving-state-store.ts";

const context = () => ({ state: new InterleavingStateStore(), secretKey: "secret" });
const settings = { sandboxClock: false };

/** A second gateway: a folder, which is this object, and a line where gateways are chosen. */
const secondGateway: GatewayDefinition = {
  configure(environment) {
    if (environment.TEST_GATEWAY_KEY === undefined) throw new SettingsError([]);
    return ({ state }) => new FaultyGateway(new SandboxGateway(state));
  },
};
const gateways = { ...GATEWAYS, test: async () => secondGateway };

describe("choosing the gateway", () => {
  test.each([{}, { PAYMENT_GATEWAY: "" }, { PAYMENT_GATEWAY: "sandbox" }])("%j is the sandbox", async (environment) => {
    const { name, open } = await chooseGateway(environment, settings);
    expect(name).toBe("sandbox");
    expect(open(context())).toBeInstanceOf(SandboxGateway);
  });

  test("another is chosen by its name, with settings of its own", async () => {
    const { name, open } = await chooseGateway({ PAYMENT_GATEWAY: "test", TEST_GATEWAY_KEY: "k" }, settings, gateways);
    expect(name).toBe("test");
    const gateway = open(context());
    expect(gateway).toBeInstanceOf(FaultyGateway);
    expect(await gateway.ledgerPage(0, undefined)).toStrictEqual({ charges: [], next: undefined });
  });

  test("the settings of one that is not chosen are not looked at", async () => {
    expect((await chooseGateway({ PAYMENT_GATEWAY: "sandbox" }, settings, gateways)).name).toBe("sandbox");
    await expect(chooseGateway({ PAYMENT_GATEWAY: "test" }, settings, gateways)).rejects.toThrow(SettingsError);
  });

  test.each(["paypal", "__proto__", "toString", "Sandbox"])("there is no %j", async (name) => {
    await expect(chooseGateway({ PAYMENT_GATEWAY: name }, settings, gateways)).rejects.toThrow(
      `PAYMENT_GATEWAY is "${name}": it accepts `,
    );
  });
});
