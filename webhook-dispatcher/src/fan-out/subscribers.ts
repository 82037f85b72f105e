import type { WebhookEndpointBody } from "@travel-booking/api-contract";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { idOfOwnedKey, WEBHOOKS } from "@travel-booking/read-models";

/** More than an account may have. */
const MAX_ENDPOINTS = 1_000;

/** An endpoint, as far as it decides what it is sent. */
export interface Subscriber {
  readonly endpointId: string;
  readonly events: ReadonlySet<string>;
  /** It gets the events behind this place. */
  readonly from: string;
}

/** The endpoints of an account. */
export async function subscribersOf(models: ReadModels, accountId: string): Promise<readonly Subscriber[]> {
  const { model, byAccount: index } = WEBHOOKS.endpoint;
  const page = await models.page(model, { index, partition: accountId, order: "ascending", limit: MAX_ENDPOINTS });
  return page.map((item) => ({
    endpointId: idOfOwnedKey(item.key),
    events: new Set<string>(parseBody<WebhookEndpointBody>(item).events),
    from: item.sort,
  }));
}

/** Whether an event is one this endpoint is sent. */
export function isSubscribed(
  { events, from }: Subscriber,
  { type, sort }: { readonly type: string; readonly sort: string },
) {
  return events.has(type) && sort > from;
}
