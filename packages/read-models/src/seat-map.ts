import { setImmediate } from "node:timers/promises";
import { cabinBody, type SeatMapBody, seatRows } from "@travel-booking/api-contract";
import type { Instant, RecordedSeats } from "@travel-booking/domain";

/** Looked at in a turn. More than most ships have. */
const SEATS_AT_ONCE = 1_000;

/** The seat map at that moment (docs/rules.md#seat-map). Others are served while that of a large ship is made. */
export async function seatMapOf(recorded: RecordedSeats, at: Instant): Promise<SeatMapBody> {
  const cabins: SeatMapBody["cabins"] = [];
  let seats = 0;
  for (const plan of recorded.plan.cabins) {
    const rows: (typeof cabins)[number]["rows"] = [];
    for (const row of seatRows(recorded, plan, at)) {
      rows.push(row);
      seats += row.seats.length;
      if (seats < SEATS_AT_ONCE) continue;
      await setImmediate();
      seats = 0;
    }
    cabins.push({ ...cabinBody(plan), rows });
  }
  return { flightId: recorded.plan.flightId, cabins };
}
