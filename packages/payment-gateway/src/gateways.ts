import { SettingError, SettingsError } from "@travel-booking/runtime";
import type { ChosenGateway, GatewayDefinition, GatewaySettings } from "./port.ts";

/** A gateway is loaded when it is chosen, so that a start loads only what it uses. */
type LoadGateway = () => Promise<GatewayDefinition>;

/** All gateways, by the name that `PAYMENT_GATEWAY` chooses. */
export const GATEWAYS: Readonly<Record<string, LoadGateway>> = {
  sandbox: async () => (await import("./sandbox/index.ts")).sandboxGateway,
  stripe: async () => (await import("./stripe/index.ts")).stripeGateway,
};

/**
 * The gateway that the environment names; default: `sandbox`.
 * @throws SettingsError no gateway has that name, or its own settings are wrong.
 */
export async function chooseGateway(
  environment: Readonly<Record<string, string | undefined>>,
  settings: GatewaySettings,
  gateways = GATEWAYS,
): Promise<ChosenGateway> {
  const name = environment.PAYMENT_GATEWAY || "sandbox";
  const load = Object.hasOwn(gateways, name) ? gateways[name] : undefined;
  if (load === undefined) {
    throw new SettingsError([new SettingError("PAYMENT_GATEWAY", name, Object.keys(gateways).join(" or "))]);
  }
  const gateway = await load();
  return { name, open: gateway.configure(environment, settings) };
}
