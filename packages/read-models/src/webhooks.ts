import type { EventType } from "@travel-booking/api-contract/vocabulary";

/** Projection `webhooks`: the webhook endpoints. */
export const WEBHOOKS = {
  projection: "webhooks",
  version: 1,
  /** By `ownedKey(account, endpoint)`, without its secret. It receives the events after its position `created`. */
  endpoint: {
    model: "webhooks.endpoint",
    /** One partition per account, in the order they were registered. */
    byAccount: "byAccount",
    /** Partition `ALL_PARTITION`, in the same order. */
    all: "all",
  },
} as const;

/** State of `webhooks.endpoint`. */
export interface EndpointRegistration {
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
}
