import { StripeDouble } from "../../engines/stripe/index.ts";
import { serveTasks } from "./serve-tasks.ts";

/** With which the service finds the double. */
export type StripeSettings = Readonly<Record<`STRIPE_${string}`, string>>;

serveTasks(async (): Promise<StripeSettings> => {
  const { url, secretKey, webhookSecret } = await StripeDouble.start();
  return { STRIPE_API_URL: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
});
