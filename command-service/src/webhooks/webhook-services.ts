import type { StateStore } from "@travel-booking/engines/state-store";
import type { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { checkTarget, type TargetCheck } from "@travel-booking/webhooks/targets";

/** What commands about webhook endpoints work with. */
export interface WebhookServices {
  readonly secrets: Pick<WebhookSecrets, "getOrCreate" | "remove">;
  readonly deliveries: Pick<EndpointDeliveries, "status" | "resume" | "stop">;
  /** Whether a URL may be called. */
  readonly checkTarget: (url: string) => Promise<TargetCheck>;
}

export interface WebhookServicesOptions {
  readonly state: StateStore;
  readonly secretKey: string;
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS` */
  readonly allowPrivateTargets: boolean;
  readonly deliveries: WebhookServices["deliveries"];
}

export function webhookServices({
  state,
  secretKey,
  allowPrivateTargets,
  deliveries,
}: WebhookServicesOptions): WebhookServices {
  return {
    secrets: new WebhookSecrets(state, secretKey),
    deliveries,
    checkTarget: (url) => checkTarget(url, { allowPrivate: allowPrivateTargets }),
  };
}
