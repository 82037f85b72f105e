/** Where somebody likes to sit (docs/rules.md#travel-preferences). */
export type PreferredSeat = "window" | "middle" | "aisle" | "any";

/** What one passenger would like of a seat that is chosen for them. */
export interface PassengerSeatPreferences {
  readonly seat: PreferredSeat;
  /** A cryosleep pod, on a journey that is long enough for one. */
  readonly cryosleep: boolean;
}

/** Of a passenger nothing is known of. */
export const NO_SEAT_PREFERENCES: PassengerSeatPreferences = { seat: "any", cryosleep: false };

/** A cryosleep pod is of use on journeys longer than a year (docs/rules.md#travel-preferences). */
const MIN_DAYS_FOR_CRYOSLEEP = 365;

export function isLongEnoughForCryosleep(durationDays: number): boolean {
  return durationDays > MIN_DAYS_FOR_CRYOSLEEP;
}
