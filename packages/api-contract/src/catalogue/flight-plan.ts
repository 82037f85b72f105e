import { type CabinPlan, type FlightPlan, SEAT_FEATURES } from "@travel-booking/domain";
import type { CatalogueCabin } from "./cabin-schema.ts";
import type { CatalogueFlight } from "./flight-fields.ts";

function toCabinPlan(cabin: CatalogueCabin): CabinPlan {
  return {
    cabin: cabin.cabin,
    deck: cabin.deck,
    amount: cabin.amount,
    currency: cabin.currency,
    layout: cabin.layout,
    rows: cabin.rows,
    exitRows: cabin.exitRows ?? [],
    cryosleepRows: cabin.cryosleepRows ?? [],
    quietRows: cabin.quietRows ?? [],
    accessible: cabin.accessible ?? [],
    blocked: cabin.blocked ?? [],
    surcharges: SEAT_FEATURES.flatMap((feature) => {
      const amount = cabin.surcharges?.[feature];
      return amount === undefined ? [] : [{ feature, amount }];
    }),
  };
}

/** A flight of a catalogue file as the domain knows it. Two files that mean the same flight give equal plans, however they order their fields. */
export function toFlightPlan(flight: CatalogueFlight): FlightPlan {
  return {
    flightId: flight.id,
    from: flight.from,
    destinationId: flight.destinationId,
    departsAt: Date.parse(flight.departsAt),
    durationDays: flight.durationDays,
    cabins: flight.cabins.map(toCabinPlan),
  };
}
