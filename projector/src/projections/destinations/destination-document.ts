import { destinationBody } from "@travel-booking/api-contract";
import type { DestinationEvent } from "@travel-booking/domain";
import { ALL, DESTINATIONS } from "@travel-booking/read-models";
import { type Document, positionSort } from "@travel-booking/read-store";

/** A destination as an event of it leaves it: each carries all there is to know. */
export function destinationDocument(event: DestinationEvent, created: bigint, position: bigint): Document {
  const sort = positionSort(created);
  const { newest, byClimate } = DESTINATIONS.destination;
  return {
    key: event.data.id,
    position,
    created,
    body: JSON.stringify(destinationBody(event.data)),
    state: null,
    indexes: { [newest]: { partition: ALL, sort }, [byClimate]: { partition: event.data.climate, sort } },
    staleAt: null,
  };
}
