import { expect, test } from "@jest/globals";
import { astray } from "../disruption.ts";

const journeys = ["bkg_1", "bkg_2"].map((bookingId) => ({ bookingId, due: 500 }));
const good = journeys.map(({ bookingId, due }) => ({ bookingId, status: "cancelled", due, paid: due }));

test("each booking of a cancelled flight has ended, and what it had paid has arrived once", () => {
  expect(astray(journeys, good)).toStrictEqual([]);
  for (const wrong of [{ status: "confirmed" }, { due: 1_000 }, { paid: 0 }, { paid: 1_000 }]) {
    const found = astray(journeys, [good[0]!, { ...good[1]!, ...wrong }]);
    expect(found).toStrictEqual([expect.stringMatching(/^bkg_2 is \w+, \d+ due and \d+ paid instead of 500$/)]);
  }
  expect(astray(journeys, good.slice(1))).toHaveLength(1);
});
