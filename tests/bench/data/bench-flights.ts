import type { CatalogueFile } from "@travel-booking/api-contract";
import type { CabinPlan, Destination, FlightPlan } from "@travel-booking/domain";

export const DESTINATION: Destination = {
  id: "proxima-b",
  name: "Proxima b",
  system: "Proxima Centauri",
  distanceLy: 4.2,
  gravity: 1.1,
  climate: "temperate",
};

const ROWS = 80;
const LAYOUT = "ABC DEFG HJK";
const COLUMNS = LAYOUT.replaceAll(" ", "");

const PLAIN = { deck: 1, currency: "USD", quietRows: [], accessible: [], blocked: [] };

const CABINS: readonly CabinPlan[] = [
  {
    ...PLAIN,
    cabin: "economy",
    amount: 129_900,
    layout: LAYOUT,
    rows: [1, ROWS],
    exitRows: [20, 40],
    cryosleepRows: [],
    surcharges: [{ feature: "window", amount: 4_500 }],
  },
  {
    ...PLAIN,
    cabin: "business",
    amount: 489_900,
    layout: "AC DF",
    rows: [101, 110],
    exitRows: [],
    cryosleepRows: [101],
    surcharges: [],
  },
];

/** All flights of the store have the same plan: 800 seats in economy, 40 in business. */
export function flightPlan(flightId: string, departsAt: number): FlightPlan {
  return {
    flightId,
    from: "LEO",
    destinationId: DESTINATION.id,
    departsAt,
    durationDays: 480,
    cabins: CABINS,
  };
}

/** The seat at this place in economy, counted from the front (0) row by row; from the back where it is negative. */
export function economySeat(place: number): string {
  const at = place < 0 ? ROWS * COLUMNS.length + place : place;
  return `${1 + Math.floor(at / COLUMNS.length)}${COLUMNS[at % COLUMNS.length]}`;
}

/** The file an operator imports for new flights of this plan. */
export function catalogueOf(plans: readonly FlightPlan[]): CatalogueFile {
  return {
    destinations: [DESTINATION],
    flights: plans.map(({ flightId, departsAt, cabins, ...plan }) => ({
      ...plan,
      id: flightId,
      departsAt: new Date(departsAt).toISOString(),
      cabins: cabins.map(({ exitRows, cryosleepRows, quietRows, accessible, blocked, ...cabin }) => ({
        ...cabin,
        rows: [...cabin.rows],
        exitRows: [...exitRows],
        cryosleepRows: [...cryosleepRows],
        quietRows: [...quietRows],
        accessible: [...accessible],
        blocked: [...blocked],
        surcharges: Object.fromEntries(cabin.surcharges.map(({ feature, amount }) => [feature, amount])),
      })),
    })),
  };
}
