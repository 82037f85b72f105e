import { setImmediate } from "node:timers/promises";
import { cabinBody, type SeatMapBody, seatRows } from "@travel-booking/api-contract";
import type { Instant, RecordedSeats } from "@travel-booking/domain";

type CabinBody = SeatMapBody["cabins"][number];
type RowBody = CabinBody["rows"][number];

/** Looked at in a turn. More than most ships have. */
const SEATS_AT_ONCE = 1_000;

/** The cabins of `seatMapBody`. Others are served while those of a large ship are made. */
export async function seatMapCabins(recorded: RecordedSeats, at: Instant): Promise<SeatMapBody["cabins"]> {
  const cabins = await cabinsInTurns(recorded, at, (row) => row);
  return cabins.map(({ cabin, rows }) => ({ ...cabin, rows: [...rows] }));
}

/** The JSON of `seatMapBody`, made likewise. */
export async function seatMapText(recorded: RecordedSeats, at: Instant): Promise<string> {
  const cabins = await cabinsInTurns(recorded, at, (row) => JSON.stringify(row));
  const maps = cabins.map(({ cabin, rows }) => `${JSON.stringify(cabin).slice(0, -1)},"rows":[${rows}]}`);
  return `{"flightId":${JSON.stringify(recorded.plan.flightId)},"cabins":[${maps}]}`;
}

async function cabinsInTurns<Row>(recorded: RecordedSeats, at: Instant, made: (row: RowBody) => Row) {
  const cabins: { readonly cabin: Omit<CabinBody, "rows">; readonly rows: readonly Row[] }[] = [];
  let seats = 0;
  for (const plan of recorded.plan.cabins) {
    const rows: Row[] = [];
    for (const row of seatRows(recorded, plan, at)) {
      rows.push(made(row));
      seats += row.seats.length;
      if (seats < SEATS_AT_ONCE) continue;
      await setImmediate();
      seats = 0;
    }
    cabins.push({ cabin: cabinBody(plan), rows });
  }
  return cabins;
}
