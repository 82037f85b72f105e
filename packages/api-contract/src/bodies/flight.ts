import { CABINS, type Instant, type RecordedSeats, seatsLeft } from "@travel-booking/domain";
import type { FlightBody } from "../resources/flight.ts";
import { timestamp } from "./timestamp.ts";

type FareBody = FlightBody["fares"][number];

/** Cheapest first. Equal fares are in the order of their classes, lowest first. */
function byAmount(one: FareBody, other: FareBody): number {
  return one.amount - other.amount || CABINS.indexOf(one.cabin) - CABINS.indexOf(other.cabin);
}

/** A flight at that moment. An expired hold no longer counts, even if no event has recorded that yet. */
export function flightBody(recorded: RecordedSeats, at: Instant): FlightBody {
  const { flightId, from, destinationId, departsAt, durationDays, cabins } = recorded.plan;
  const fares = cabins.map(({ cabin, amount, currency }) => ({
    cabin,
    amount,
    currency,
    seatsLeft: seatsLeft(recorded, cabin, at),
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
