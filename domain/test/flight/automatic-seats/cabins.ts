import { emptyOccupancy, evolveOccupancy, type FlightPlan, type Occupancy } from "../../../src/index.ts";
import { allocated, economy, NOW, plan } from "../sample-flight.ts";

export interface CabinAbout {
  readonly layout: string;
  readonly rows: readonly [number, number];
  readonly exitRows?: readonly number[];
  readonly cryosleepRows?: readonly number[];
  readonly accessible?: readonly string[];
  readonly blocked?: readonly string[];
  readonly durationDays?: number;
}

export function planOf({ durationDays = 480, ...cabin }: CabinAbout): FlightPlan {
  const bare = { exitRows: [], cryosleepRows: [], accessible: [], blocked: [], surcharges: [] };
  return { ...plan, durationDays, cabins: [{ ...economy, ...bare, ...cabin }] };
}

/** A flight with one cabin, in which these seats belong to somebody else. */
export function cabinWith(about: CabinAbout, taken: readonly string[] = []): Occupancy {
  const occupancy = emptyOccupancy(planOf(about));
  for (const [index, seat] of taken.entries()) {
    const event = allocated(`bkg_${index}`, { seats: [seat] }, NOW);
    if (event.type === "SeatsAllocated") evolveOccupancy(occupancy, event);
  }
  return occupancy;
}
