import type { CatalogueFile, CatalogueFlight } from "@travel-booking/api-contract";
import { cabinsOf } from "./cabins.ts";
import { departures } from "./departures.ts";
import { DESTINATIONS, type ServedDestination } from "./destinations.ts";
import { durationDays } from "./journey.ts";

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
 * Real exoplanets and two years of flights to them, in the shape of a catalogue file. Depends on nothing but the UTC
 * day of `now` (milliseconds since the epoch): keep that moment, and the same catalogue can be made again.
 */
export function demoCatalogue(now: number): CatalogueFile {
  return {
    destinations: DESTINATIONS.map(({ flightCode: _, from: __, ...destination }) => destination),
    flights: DESTINATIONS.flatMap((destination, place) => flightsTo(destination, place, now)).sort(byDeparture),
  };
}
