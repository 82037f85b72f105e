import type { StateStore } from "@travel-booking/engines/state-store";
import type { DeliveryLog } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { checkTarget, type TargetCheck } from "@travel-booking/webhooks/targets";

/** What commands about webhook endpoints work with. */
export interface WebhookServices {
  readonly secrets: Pick<WebhookSecrets, "obtain" | "remove">;
  readonly deliveries: Pick<DeliveryLog, "status" | "resume" | "stop">;
  /** Whether a URL may be called. */
  readonly check: (url: string) => Promise<TargetCheck>;
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
    check: (url) => checkTarget(url, { allowPrivate: allowPrivateTargets }),
  };
}
