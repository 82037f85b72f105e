import { SettingError, SettingsError } from "@travel-booking/runtime";
import type { GatewayDefinition, GatewaySettings, OpenGateway } from "./port.ts";
import { sandboxGateway } from "./sandbox/index.ts";
import { stripeGateway } from "./stripe/index.ts";

/** Every gateway there is, by the name that `PAYMENT_GATEWAY` chooses it with. */
export const GATEWAYS: Readonly<Record<string, GatewayDefinition>> = {
  sandbox: sandboxGateway,
  stripe: stripeGateway,
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
export function chooseGateway(
  environment: Readonly<Record<string, string | undefined>>,
  settings: GatewaySettings,
  gateways = GATEWAYS,
): ChosenGateway {
  const name = environment.PAYMENT_GATEWAY || "sandbox";
  const gateway = Object.hasOwn(gateways, name) ? gateways[name] : undefined;
  if (gateway === undefined) {
    const names = Object.keys(gateways).join(" or ");
    throw new SettingsError([new SettingError("PAYMENT_GATEWAY", name, names)]);
  }
  return { name, open: gateway.configure(environment, settings) };
}
