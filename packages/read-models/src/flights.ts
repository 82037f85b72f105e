/** Projection `flights`: what is known of each flight, by its id, what is on it, and public events (`EVENT_FEEDS`). */
export const FLIGHTS = {
  projection: "flights",
  version: 5,
  /** With its fares; its state is `StoredSeats`. */
  flight: {
    model: "flights.flight",
    /** Partition `ALL_PARTITION`, sorted by `timeSortKey` of departure and id. */
    byDeparture: "byDeparture",
    /** The same, one partition per destination. */
    byDestination: "byDestination",
  },
  /** Its `FlightPlan` with the current fares. Apart, because it hardly ever changes. */
  plan: { model: "flights.plan" },
  /** Its state is `StoredHold`, by the hold's id. */
  hold: {
    model: "flights.hold",
    /** For quotas, until its end is recorded: one partition per account, sorted by `timeSortKey` of expiry and id. */
    byAccount: "byAccount",
  },
  /** For the projection alone: `Party` by the booking's id, until it has nothing on the flight. */
  occupant: { model: "flights.occupant" },
} as const;
