import type { EndpointHealthBody } from "@travel-booking/api-contract";
import { eventJson, timestamp } from "@travel-booking/api-contract/bodies";
import type { RecordedHealth } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { type EventStub, feedOf } from "./events.ts";

/** State of the document of a public event of an endpoint, since it is told of that moment alone. */
export type StoredHealth = Pick<RecordedHealth, "status" | "reason" | "since">;

/** The JSON of a public event of a webhook endpoint. */
export async function jsonOfEndpointEvent(
  models: Pick<ReadModels, "document">,
  { eventId: id, type, about: endpointId, at }: EventStub,
): Promise<string | undefined> {
  const health = (await models.document(feedOf("endpoint").model, id))?.state as StoredHealth | undefined;
  if (health === undefined) return undefined;
  const object: EndpointHealthBody = { endpointId, ...health, since: timestamp(health.since) };
  return eventJson({ id, type, at }, JSON.stringify(object));
}
