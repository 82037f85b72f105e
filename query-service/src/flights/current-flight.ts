import { flightBody } from "@travel-booking/api-contract";
import type { Occupancy } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { deserializeOccupancy, FLIGHTS, type SerializedOccupancy } from "@travel-booking/read-models";

/** Who has what on a flight, as far as is recorded; undefined where there is no such flight. */
export async function findOccupancy(models: ReadModels, flightId: string): Promise<Occupancy | undefined> {
  const document = await models.document(FLIGHTS.flight.model, flightId);
  return document === undefined ? undefined : deserializeOccupancy(document.state as SerializedOccupancy);
}

/** A flight at this moment: a hold past its time no longer counts, recorded or not. */
export async function currentFlightJson(
  models: ReadModels,
  flightId: string,
  now: number,
): Promise<string | undefined> {
  const occupancy = await findOccupancy(models, flightId);
  return occupancy === undefined ? undefined : JSON.stringify(flightBody(occupancy, now));
}
