/** Where a traveller likes to sit (docs/rules.md#travel-preferences). */
export const SEAT_PREFERENCES = ["window", "middle", "aisle", "any"] as const;
export type SeatPreference = (typeof SEAT_PREFERENCES)[number];

export const MEALS = [
  "standard",
  "vegetarian",
  "vegan",
  "halal",
  "kosher",
  "hindu",
  "gluten_free",
  "diabetic",
  "low_lactose",
  "child",
] as const;
export type Meal = (typeof MEALS)[number];

export interface TravelPreferences {
  /** Used when seats are assigned automatically. */
  readonly seat: SeatPreference;
  readonly meal: Meal;
  /** A cryosleep pod on journeys longer than a year. */
  readonly cryosleep: boolean;
}

/** Of a traveller who has told none (docs/rules.md#travel-preferences). */
export const DEFAULT_PREFERENCES: TravelPreferences = { seat: "any", meal: "standard", cryosleep: false };
