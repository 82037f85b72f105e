import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { cabinBody, seatRows } from "@travel-booking/api-contract";
import { CABINS, type FlightPlan, type RecordedSeats } from "@travel-booking/domain";
import { seatMapOf } from "../src/seat-map.ts";

const LETTERS = "ABC DEF GHI JKL MNO PQR STU VWX YZ";
const BARE = { exitRows: [2], cryosleepRows: [], quietRows: [], accessible: [], blocked: ["1A"], surcharges: [] };

/** Four cabins of so many rows, of which every seat is free. */
function ship(rows: number): RecordedSeats {
  const cabins = CABINS.map((cabin, index) => {
    const from = 1 + index * rows;
    const range: [number, number] = [from, from + rows - 1];
    return { ...BARE, cabin, deck: index, amount: 100, currency: "USD", layout: LETTERS, rows: range };
  });
  const plan: FlightPlan = { flightId: 'F"1', from: "LEO", destinationId: "d", departsAt: 1, durationDays: 1, cabins };
  return {
    ...{ plan, sale: "open", capacityOf: () => undefined, expiredHolds: () => [], heldUntil: () => null },
    ...{ isBooked: () => false, isBlocked: (_, seat) => seat === "1A" },
  };
}

test.each([
  [1, 0],
  [240, 23],
])("the seat map of %d rows in each of four cabins is made in turns", async (rows, expected) => {
  const recorded = ship(rows);
  let [turns, ended] = [0, false];
  const map = seatMapOf(recorded, 0).finally(() => {
    ended = true;
  });
  for (await turn(); !ended; await turn()) turns += 1;
  const { flightId, cabins } = recorded.plan;
  const rowsOf = cabins.map((plan) => ({ ...cabinBody(plan), rows: [...seatRows(recorded, plan, 0)] }));
  expect([await map, turns]).toStrictEqual([{ flightId, cabins: rowsOf }, expected]);
});
