import type { GatewayDefinition } from "../port.ts";
import { readStripeSettings } from "./settings.ts";
import { StripeGateway } from "./stripe-gateway.ts";

export { StripeGateway } from "./stripe-gateway.ts";

/** Real money, by Stripe (docs/payments.md). */
export const stripeGateway: GatewayDefinition = {
  configure(environment, settings) {
    const stripe = readStripeSettings(environment, settings);
    return (context) => new StripeGateway(stripe, context);
  },
};
