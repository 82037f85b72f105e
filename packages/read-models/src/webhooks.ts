import type { PublicEventType, ReceiverHeaders, SecretRotation } from "@travel-booking/domain";
import { pagesOf, type ReadModels } from "@travel-booking/engines/read-store";
import { ALL_PARTITION } from "./keys.ts";

/** Projection `webhooks`: the webhook endpoints. */
export const WEBHOOKS = {
  projection: "webhooks",
  version: 1,
  /** By `ownedKey(account, endpoint)`, without the secret. An endpoint receives the events after its `created`. */
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
  readonly events: readonly PublicEventType[];
  /** Of the receiver's own: their values are not here. */
  readonly headers?: ReceiverHeaders;
  readonly maxPerSecond?: number;
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
  /** The last rotation of the secret. */
  readonly rotation?: SecretRotation;
}

const PAGE = 200;

/** Every endpoint of every account, in the order they were registered. */
export async function registeredEndpoints(
  models: Pick<ReadModels, "page" | "document">,
): Promise<readonly EndpointRegistration[]> {
  const { model, all: index } = WEBHOOKS.endpoint;
  const found: EndpointRegistration[] = [];
  const request = { index, partition: ALL_PARTITION, order: "ascending", limit: PAGE } as const;
  for await (const page of pagesOf(models, model, request)) {
    for (const { key } of page) {
      const document = await models.document(model, key);
      if (document !== undefined) found.push(document.state as EndpointRegistration);
    }
  }
  return found;
}
