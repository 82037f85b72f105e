import type { ReadModels } from "@travel-booking/engines/read-store";
import { type EndpointRegistration, ownedKey, WEBHOOKS } from "@travel-booking/read-models";

/** What is known of an endpoint of this account; undefined where it has none with this id. */
export async function findEndpoint(
  models: Pick<ReadModels, "document">,
  accountId: string,
  id: string,
): Promise<EndpointRegistration | undefined> {
  const document = await models.document(WEBHOOKS.endpoint.model, ownedKey(accountId, id));
  return document?.state as EndpointRegistration | undefined;
}
