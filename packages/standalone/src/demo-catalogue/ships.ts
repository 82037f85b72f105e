import type { CatalogueCabin } from "@travel-booking/api-contract";

/** A cabin as built; each flight sets its fare and its pods. */
export interface ShipCabin extends Omit<CatalogueCabin, "amount" | "currency" | "cryosleepRows" | "rows"> {
  readonly rows: readonly [first: number, last: number];
}

export interface Ship {
  /** The farthest destination that the ship serves, in light years. */
  readonly range: number;
  readonly cabins: readonly [ShipCabin, ...ShipCabin[]];
}

const BUSINESS_SURCHARGES = { window: 4_000, bulkhead: 3_000, quiet_zone: 2_500 };
const PREMIUM_SURCHARGES = { window: 3_000, aisle: 1_500, bulkhead: 2_500, exit_row: 5_000 };
const ECONOMY_SURCHARGES = { window: 2_500, aisle: 1_000, bulkhead: 1_500, exit_row: 4_000, cryosleep_pod: 15_000 };

const SHUTTLE: Ship = {
  range: 20,
  cabins: [
    { cabin: "business", deck: 1, layout: "A D", rows: [1, 4], quietRows: [4], surcharges: BUSINESS_SURCHARGES },
    {
      cabin: "economy",
      deck: 1,
      layout: "ABC DEF",
      rows: [10, 29],
      exitRows: [19],
      accessible: ["10C", "10D"],
      surcharges: ECONOMY_SURCHARGES,
    },
  ],
};

const LINER: Ship = {
  range: 200,
  cabins: [
    { cabin: "business", deck: 1, layout: "A CD F", rows: [1, 6], quietRows: [5, 6], surcharges: BUSINESS_SURCHARGES },
    {
      cabin: "premium_economy",
      deck: 1,
      layout: "AB CD EF",
      rows: [10, 15],
      exitRows: [10],
      surcharges: PREMIUM_SURCHARGES,
    },
    {
      cabin: "economy",
      deck: 1,
      layout: "ABC DEFG HJK",
      rows: [20, 44],
      exitRows: [32],
      quietRows: [43, 44],
      accessible: ["20C", "20D", "20G", "20H"],
      surcharges: { ...ECONOMY_SURCHARGES, quiet_zone: 800 },
    },
  ],
};

const ARK: Ship = {
  range: Number.POSITIVE_INFINITY,
  cabins: [
    { cabin: "first", deck: 3, layout: "A D", rows: [1, 4], quietRows: [1, 2], surcharges: { quiet_zone: 10_000 } },
    { cabin: "business", deck: 3, layout: "A CD F", rows: [5, 12], quietRows: [12], surcharges: BUSINESS_SURCHARGES },
    {
      cabin: "premium_economy",
      deck: 2,
      layout: "AB CDE FG",
      rows: [20, 27],
      exitRows: [20],
      surcharges: PREMIUM_SURCHARGES,
    },
    {
      cabin: "economy",
      deck: 1,
      layout: "ABC DEFG HJK",
      rows: [30, 59],
      exitRows: [38, 48],
      quietRows: [54, 55],
      accessible: ["30C", "30D", "30G", "30H"],
      surcharges: { ...ECONOMY_SURCHARGES, quiet_zone: 800 },
    },
  ],
};

/** The smallest ship with that range. */
export function shipFor(distanceLy: number): Ship {
  return [SHUTTLE, LINER].find(({ range }) => distanceLy <= range) ?? ARK;
}
