import { flightBody } from "@travel-booking/api-contract";
import { type Occupancy, type PackedOccupancy, unpackOccupancy } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { FLIGHTS } from "@travel-booking/read-models";

/** Who has what on a flight, as far as is recorded; undefined where there is no such flight. */
export async function occupancyOf(models: ReadModels, flightId: string): Promise<Occupancy | undefined> {
  const document = await models.document(FLIGHTS.flight.model, flightId);
  return document === undefined ? undefined : unpackOccupancy(document.state as PackedOccupancy);
}

/** A flight at this moment: a hold past its time no longer counts, recorded or not. */
export async function flightNow(models: ReadModels, flightId: string, now: number): Promise<string | undefined> {
  const occupancy = await occupancyOf(models, flightId);
  return occupancy === undefined ? undefined : JSON.stringify(flightBody(occupancy, now));
}
