import { setImmediate } from "node:timers/promises";
import { cabinBody, seatRows } from "@travel-booking/api-contract";
import type { Instant, RecordedSeats } from "@travel-booking/domain";

/** Looked at in a turn. More than most ships have. */
const SEATS_AT_ONCE = 1_000;

/** The JSON of `seatMapBody`. Others are served while that of a large ship is made. */
export async function seatMapText(recorded: RecordedSeats, at: Instant): Promise<string> {
  const { flightId, cabins } = recorded.plan;
  const maps: string[] = [];
  let seats = 0;
  for (const plan of cabins) {
    const rows: string[] = [];
    for (const row of seatRows(recorded, plan, at)) {
      rows.push(JSON.stringify(row));
      seats += row.seats.length;
      if (seats < SEATS_AT_ONCE) continue;
      await setImmediate();
      seats = 0;
    }
    maps.push(`${JSON.stringify(cabinBody(plan)).slice(0, -1)},"rows":[${rows}]}`);
  }
  return `{"flightId":${JSON.stringify(flightId)},"cabins":[${maps}]}`;
}
