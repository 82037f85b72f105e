import { aislesOf, CABINS, type Cabin, type CabinPlan, columnsOf, type Instant, seatsOf } from "@travel-booking/domain";
import { expiredHolds, type Occupancy } from "./flight-occupancy.ts";

function seatsLeft(occupancy: Occupancy, cabin: Cabin, at: Instant): number {
  const room = occupancy.cabins.get(cabin);
  if (room === undefined || occupancy.sale !== "open" || room.overfull > 0) return 0;
  let left = room.layout.unblocked - room.blocked.size - room.committed - room.held;
  for (const hold of expiredHolds(occupancy, at)) if (hold.cabin === cabin) left += hold.seats.length;
  return left;
}

function seatStatus(occupancy: Occupancy, cabin: Cabin, seat: string, at: Instant): string {
  if (occupancy.sale === "cancelled") return "blocked";
  const room = occupancy.cabins.get(cabin);
  if (room?.layout.blocked.has(seat) || room?.blocked.has(seat)) return "blocked";
  if ((occupancy.bookedBy.get(seat) ?? null) !== null) return "booked";
  const hold = occupancy.heldBy.get(seat) ?? null;
  return hold !== null && hold.expiresAt > at ? "held" : "available";
}

/** `GET /v1/flights/{id}` at that moment. */
export function flightAnswer(occupancy: Occupancy, at: Instant): string {
  const { flightId, from, destinationId, departsAt, durationDays, cabins } = occupancy.plan;
  const fares = cabins.map(({ cabin, amount, currency }) => {
    return { cabin, amount, currency, seatsLeft: seatsLeft(occupancy, cabin, at) };
  });
  fares.sort((one, other) => one.amount - other.amount || CABINS.indexOf(one.cabin) - CABINS.indexOf(other.cabin));
  return JSON.stringify({
    id: flightId,
    from,
    destinationId,
    departsAt: new Date(departsAt).toISOString(),
    durationDays,
    fares,
  });
}

function rowsOf(occupancy: Occupancy, plan: CabinPlan, at: Instant) {
  const rows = Map.groupBy(seatsOf(plan), ({ row }) => row);
  return Array.from(rows, ([number, seats]) => ({
    number,
    seats: seats.map((seat) => ({
      number: seat.number,
      status: seatStatus(occupancy, plan.cabin, seat.number, at),
      features: seat.features,
      price: seat.price,
      currency: plan.currency,
    })),
  }));
}

/** `GET /v1/flights/{id}/seat-map` at that moment. */
export function seatMapAnswer(occupancy: Occupancy, at: Instant): string {
  const { flightId, cabins } = occupancy.plan;
  return JSON.stringify({
    flightId,
    cabins: cabins.map((plan) => ({
      cabin: plan.cabin,
      deck: plan.deck,
      columns: columnsOf(plan),
      aisles: aislesOf(plan),
      rows: rowsOf(occupancy, plan, at),
    })),
  });
}
