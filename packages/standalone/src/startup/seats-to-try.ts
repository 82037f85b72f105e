import { seatStatus, seatsOf } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  deserializeOccupancy,
  FLIGHTS,
  type SerializedOccupancy,
  timeSortKey,
} from "@travel-booking/read-models";

/** A flight and two seats on it that are free, for the commands the summary ends with. */
export interface SeatsToTry {
  readonly flightId: string;
  readonly seats: readonly [string, string];
}

const CANDIDATE_FLIGHTS = 20;

/** The next flight with two free seats side by side in economy. */
export async function findSeatsToTry(models: ReadModels, now: number): Promise<SeatsToTry | undefined> {
  const { model, byDeparture } = FLIGHTS.flight;
  const page = await models.page(model, {
    index: byDeparture,
    partition: ALL_PARTITION,
    order: "ascending",
    limit: CANDIDATE_FLIGHTS,
    from: timeSortKey(now),
  });
  for (const { key } of page) {
    const document = await models.document(model, key);
    if (document === undefined) continue;
    const occupancy = deserializeOccupancy(document.state as SerializedOccupancy);
    const plan = occupancy.plan.cabins.find(({ cabin }) => cabin === "economy");
    if (plan === undefined) continue;
    const free = seatsOf(plan).filter(({ number }) => seatStatus(occupancy, "economy", number, now) === "available");
    const [one, other] = free;
    if (one !== undefined && other !== undefined) return { flightId: key, seats: [one.number, other.number] };
  }
  return undefined;
}
