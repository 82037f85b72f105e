import type { CatalogueCabin } from "@travel-booking/api-contract";
import { CABINS, type Cabin } from "@travel-booking/domain";
import { durationDays, fareAmount } from "./journey.ts";
import { type ShipCabin, shipFor } from "./ships.ts";

/** Cryosleep pods are for journeys longer than a year. */
const YEAR_DAYS = 365;

/** How many of the last rows of a class are pods on such a journey. */
const POD_ROWS: Readonly<Record<Cabin, number>> = { economy: 4, premium_economy: 2, business: 2, first: 4 };

/** The crew rests in the last row: one of its outer seats, the other one on the next flight. */
function crewSeat({ layout, rows: [, lastRow] }: ShipCabin, flightNumber: number): string {
  return `${lastRow}${flightNumber % 2 === 0 ? layout.at(-1) : layout[0]}`;
}

function podRows({ cabin, rows: [firstRow, lastRow] }: ShipCabin): number[] {
  const first = Math.max(firstRow, lastRow - POD_ROWS[cabin] + 1);
  return Array.from({ length: lastRow - first + 1 }, (_, index) => first + index);
}

/** The cabins of one flight, lowest class first. `flightNumber` counts the flights to the destination. */
export function cabinsOf(distanceLy: number, departsAt: number, flightNumber: number): CatalogueCabin[] {
  const withPods = durationDays(distanceLy) > YEAR_DAYS;
  return shipFor(distanceLy)
    .cabins.toSorted((one, other) => CABINS.indexOf(one.cabin) - CABINS.indexOf(other.cabin))
    .map((built) => ({
      ...structuredClone(built),
      rows: [...built.rows],
      amount: fareAmount(built.cabin, distanceLy, departsAt),
      currency: "USD",
      ...(withPods ? { cryosleepRows: podRows(built) } : {}),
      ...(built.cabin === "economy" ? { blocked: [crewSeat(built, flightNumber)] } : {}),
    }));
}
