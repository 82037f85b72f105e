import { SettingError, SettingsError } from "@travel-booking/runtime";
import type { GatewayDefinition, GatewaySettings, OpenGateway } from "./port.ts";

/** Each is loaded when it is chosen: a start loads what it uses. */
type LoadGateway = () => Promise<GatewayDefinition>;

/** Every gateway there is, by the name that `PAYMENT_GATEWAY` chooses it with. */
export const GATEWAYS: Readonly<Record<string, LoadGateway>> = {
  sandbox: async () => (await import("./sandbox/index.ts")).sandboxGateway,
  stripe: async () => (await import("./stripe/index.ts")).stripeGateway,
};

/** A gateway that was chosen and whose settings are good. */
export interface ChosenGateway {
  readonly name: string;
  readonly open: OpenGateway;
}

/**
 * The gateway that the environment names; default: `sandbox`.
 * @throws SettingsError there is none of that name, or its own settings are wrong.
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
