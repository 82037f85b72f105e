import type { Cabin } from "./values.ts";

/** Features that can have a surcharge, by their catalogue names. */
export const SEAT_FEATURES = [
  "window",
  "middle",
  "aisle",
  "exit_row",
  "extra_legroom",
  "bulkhead",
  "quiet_zone",
  "accessible",
  "cryosleep_pod",
] as const;
export type SeatFeature = (typeof SEAT_FEATURES)[number];

/** One cabin of a flight as defined in the catalogue. Amounts in cents. */
export interface CabinPlan {
  readonly cabin: Cabin;
  readonly deck: number;
  /** The fare of one passenger. */
  readonly amount: number;
  readonly currency: string;
  /** Columns from left to right; a space is an aisle, as in `ABC DEF`. */
  readonly layout: string;
  /** First and last row number, both included. */
  readonly rows: readonly [number, number];
  readonly exitRows: readonly number[];
  readonly cryosleepRows: readonly number[];
  readonly quietRows: readonly number[];
  readonly accessible: readonly string[];
  /** Seat numbers that are never sold. */
  readonly blocked: readonly string[];
  readonly surcharges: readonly { readonly feature: SeatFeature; readonly amount: number }[];
}
