import { CABINS, type Instant, type Occupancy, seatsLeft } from "@travel-booking/domain";
import type { FareBody, FlightBody } from "../resources/flight.ts";
import { timestamp } from "./timestamp.ts";

/** Cheapest first; equal fares in the order of their classes, lowest first. */
function byAmount(one: FareBody, other: FareBody): number {
  return one.amount - other.amount || CABINS.indexOf(one.cabin) - CABINS.indexOf(other.cabin);
}

/** A flight as the public interface shows it at that moment: a hold past its time no longer counts. */
export function flightBody(occupancy: Occupancy, at: Instant): FlightBody {
  const { flightId, from, destinationId, departsAt, durationDays, cabins } = occupancy.plan;
  const fares = cabins.map(({ cabin, amount, currency }) => ({
    cabin,
    amount,
    currency,
    seatsLeft: seatsLeft(occupancy, cabin, at),
  }));
  return {
    id: flightId,
    from,
    destinationId,
    departsAt: timestamp(departsAt),
    durationDays,
    fares: fares.sort(byAmount),
  };
}
