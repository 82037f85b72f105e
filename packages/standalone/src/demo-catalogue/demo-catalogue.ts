import type { CatalogueCabin, CatalogueFile, CatalogueFlight } from "@travel-booking/api-contract";
import { CABINS, type Cabin, DAY, HOUR } from "@travel-booking/domain";
import { DESTINATIONS, type ServedDestination } from "./destinations.ts";
import { type ShipCabin, shipFor } from "./ships.ts";

/** `20270301` */
function dayDigits(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
}

function flightsTo(destination: ServedDestination, place: number, now: number): CatalogueFlight[] {
  const { id, flightCode, from, distanceLy } = destination;
  return departures(now, distanceLy, place).map((departsAt, number) => ({
    id: `${flightCode}-${dayDigits(departsAt)}`,
    from: from[number % from.length] ?? from[0],
    destinationId: id,
    departsAt: new Date(departsAt).toISOString(),
    durationDays: durationDays(distanceLy),
    cabins: cabinsOf(distanceLy, departsAt, number),
  }));
}

function byDeparture(one: CatalogueFlight, other: CatalogueFlight): number {
  if (one.departsAt !== other.departsAt) return one.departsAt < other.departsAt ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/**
 * Real exoplanets and two years of flights to them, in the shape of a catalogue file. It depends only on the UTC day of
 * `now` (milliseconds since the epoch).
 */
export function demoCatalogue(now: number): CatalogueFile {
  return {
    destinations: DESTINATIONS.map(({ flightCode: _, from: __, ...destination }) => destination),
    flights: DESTINATIONS.flatMap((destination, place) => flightsTo(destination, place, now)).sort(byDeparture),
  };
}

const SCHEDULED_DAYS = 730;

/** Days before the first departures, so that users can try every feature of the service on them. */
const NOTICE_DAYS = 4;

const HOURS = [6, 9, 11, 14, 17, 20, 22] as const;

/** Days between two flights to a destination; nearer destinations have more flights. */
function intervalDays(distanceLy: number): number {
  if (distanceLy <= 20) return 20;
  return distanceLy <= 200 ? 24 : 28;
}

/**
 * Departures to one destination over two years from the UTC day of `now`, in order. `place` distinguishes destinations,
 * so that they do not all leave on one day.
 */
export function departures(now: number, distanceLy: number, place: number): number[] {
  const today = Math.floor(now / DAY);
  const interval = intervalDays(distanceLy);
  const moments: number[] = [];
  for (let day = NOTICE_DAYS + ((place * 5) % interval); day < SCHEDULED_DAYS; day += interval) {
    const hour = HOURS[(place + moments.length) % HOURS.length] ?? HOURS[0];
    moments.push((today + day) * DAY + hour * HOUR);
  }
  return moments;
}

/** Cryosleep pods are for journeys longer than a year. */
const YEAR_DAYS = 365;

/** How many of the last rows of a class are pods on a journey that long. */
const POD_ROWS: Readonly<Record<Cabin, number>> = { economy: 4, premium_economy: 2, business: 2, first: 4 };

/** The seat where the crew rests: an outer seat of the last row, on alternating sides from flight to flight. */
function crewSeat({ layout, rows: [, lastRow] }: ShipCabin, flightNumber: number): string {
  return `${lastRow}${flightNumber % 2 === 0 ? layout.at(-1) : layout[0]}`;
}

function podRows({ cabin, rows: [firstRow, lastRow] }: ShipCabin): number[] {
  const first = Math.max(firstRow, lastRow - POD_ROWS[cabin] + 1);
  return Array.from({ length: lastRow - first + 1 }, (_, index) => first + index);
}

/** The cabins of one flight, lowest class first. `flightNumber` counts the flights to the destination. */
function cabinsOf(distanceLy: number, departsAt: number, flightNumber: number): CatalogueCabin[] {
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

/**
 * Travel time in days. The drive is faster on longer journeys, because it accelerates longer. Four times the distance
 * takes twice the time (28 days to Proxima Centauri, 480 to Kepler-442).
 */
export function durationDays(distanceLy: number): number {
  return Math.round(13.82 * Math.sqrt(distanceLy));
}

/** Fares of the classes, as multiples of the economy fare. */
const FACTORS: Readonly<Record<Cabin, number>> = { economy: 1, premium_economy: 1.6, business: 3.2, first: 6 };

const BOARDING_FEE = 20_000;
const PER_ROOT_LIGHT_YEAR = 3_164;

/** July and December, the peak months. */
const HIGH_SEASON: ReadonlySet<number> = new Set([6, 11]);
const HIGH_SEASON_FACTOR = 1.1;

/** A fare in cents, rounded to dollars. It grows with the travel time, and by a tenth in the high season. */
export function fareAmount(cabin: Cabin, distanceLy: number, departsAt: number): number {
  const economy = BOARDING_FEE + PER_ROOT_LIGHT_YEAR * Math.sqrt(distanceLy);
  const season = HIGH_SEASON.has(new Date(departsAt).getUTCMonth()) ? HIGH_SEASON_FACTOR : 1;
  return Math.round((economy * FACTORS[cabin] * season) / 100) * 100;
}
