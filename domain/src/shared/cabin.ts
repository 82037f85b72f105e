/** Cabin classes, lowest first: an upgrade goes one step up this list, to the next cabin the flight has. */
export const CABINS = ["economy", "premium_economy", "business", "first"] as const;
export type Cabin = (typeof CABINS)[number];
