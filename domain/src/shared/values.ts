/** Cabin classes, lowest first: an upgrade goes one step up this list, to the next cabin the flight has. */
export const CABINS = ["economy", "premium_economy", "business", "first"] as const;
export type Cabin = (typeof CABINS)[number];

/** Keys and values a client attached. Pairs, not an object: the keys are the client's, and must never shape a record. */
export type Metadata = readonly (readonly [key: string, value: string])[];
