import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { seatMapBody } from "@travel-booking/api-contract";
import { CABINS, type FlightPlan, type RecordedSeats } from "@travel-booking/domain";
import { seatMapCabins, seatMapText } from "../src/seat-map.ts";

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

/** How often others had a turn before this ended. */
async function turnsDuring<Result>(work: Promise<Result>): Promise<readonly [Result, number]> {
  let [turns, ended] = [0, false];
  const done = work.finally(() => {
    ended = true;
  });
  for (await turn(); !ended; await turn()) turns += 1;
  return [await done, turns];
}

test.each([
  [1, 0],
  [240, 23],
])("the seat map of %d rows in each of four cabins is made in turns", async (rows, turns) => {
  const [text, had] = await turnsDuring(seatMapText(ship(rows), 0));
  expect(text).toBe(JSON.stringify(seatMapBody(ship(rows), 0)));
  expect(had).toBe(turns);
  const [cabins, hadOfCabins] = await turnsDuring(seatMapCabins(ship(rows), 0));
  expect([cabins, hadOfCabins]).toStrictEqual([seatMapBody(ship(rows), 0).cabins, turns]);
});
