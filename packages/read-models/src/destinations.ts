/** Projection `destinations`: the catalogue's destinations, by id. */
export const DESTINATIONS = {
  projection: "destinations",
  version: 1,
  destination: {
    model: "destinations.destination",
    /** Partition `ALL_PARTITION`, sorted by when the destination was first listed. */
    newest: "newest",
    /** The same, one partition per climate. */
    byClimate: "byClimate",
  },
} as const;
