import {
  aislesOf,
  type CabinPlan,
  columnsOf,
  type Instant,
  type Occupancy,
  seatStatus,
  seatsOf,
} from "@travel-booking/domain";
import type { SeatMapBody } from "../resources/seat-map.ts";

type CabinBody = SeatMapBody["cabins"][number];
type RowBody = CabinBody["rows"][number];

function rowsOf(occupancy: Occupancy, plan: CabinPlan, at: Instant): RowBody[] {
  const rows: RowBody[] = [];
  for (const { number, row, features, price } of seatsOf(plan)) {
    const status = seatStatus(occupancy, plan.cabin, number, at);
    const seat = { number, status, features: [...features], price, currency: plan.currency };
    const last = rows.at(-1);
    if (last?.number === row) last.seats.push(seat);
    else rows.push({ number: row, seats: [seat] });
  }
  return rows;
}

/** The seat map of a flight at that moment (docs/rules.md#seat-map): cabins as the plan orders them. */
export function seatMapBody(occupancy: Occupancy, at: Instant): SeatMapBody {
  const { flightId, cabins } = occupancy.plan;
  return {
    flightId,
    cabins: cabins.map((plan) => ({
      cabin: plan.cabin,
      deck: plan.deck,
      columns: [...columnsOf(plan)],
      aisles: [...aislesOf(plan)],
      rows: rowsOf(occupancy, plan, at),
    })),
  };
}
