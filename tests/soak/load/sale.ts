import type { Sold } from "../../simulation/audit/sold.ts";
import { importFlights } from "../../support/catalogue.ts";
import type { Target } from "../targets/target.ts";

const ROWS = [10, 209] as const;
const SEATS_OF_A_FLIGHT = 1_200;
/** Of all requests: about a fifth books, for two on average, and a few cancel. */
const SEATS_PER_REQUEST = 0.4;
const AT_LEAST = 4;
/** Some depart before the audit, which lets eight days pass; the others do not. */
const NEAR_DAYS = 5;
const FAR_DAYS = 60;

/** What is sold, and on which flights. */
export interface Sale {
  readonly flightIds: readonly string[];
  readonly sold: Sold;
}

/** By hand, from what `importFlights` imports: windows are dearer in economy, and in business all are alike. */
export function cabinsOf([first, last]: readonly [number, number]): Sold["cabins"] {
  return {
    business: { fare: 500_000, surcharges: { "1A": 0, "1D": 0, "2A": 0, "2D": 0 } },
    economy: {
      fare: 129_900,
      surcharges: Object.fromEntries(
        Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((row) =>
          [..."ABCDEF"].map((column) => [`${row}${column}`, "AF".includes(column) ? 2_500 : 0] as const),
        ),
      ),
    },
  };
}

/** Imports flights with room for so many requests, one in four of them soon. */
export async function openSale(target: Target, requests: number): Promise<Sale> {
  const count = AT_LEAST + Math.ceil((requests * SEATS_PER_REQUEST) / SEATS_OF_A_FLIGHT);
  const flights = Array.from({ length: count }, (_, index) => {
    return { id: `SO-${index}`, departsIn: index % 4 === 0 ? NEAR_DAYS : FAR_DAYS, rows: ROWS };
  });
  await importFlights(target, flights);
  return { flightIds: flights.map(({ id }) => id), sold: { cabins: cabinsOf(ROWS) } };
}
