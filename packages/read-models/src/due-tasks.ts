/** Projection `obligations`: what is still to be done, by the obligation's key. */
export const DUE_TASKS = {
  projection: "obligations",
  due: {
    model: "obligations.due",
    /** Partition `partitionOf` the task, sorted by `dueSortKey`. */
    byDueTime: "byDueTime",
  },
  /** What the projection folds on to know when a booking is owed seats; by booking id. Nobody reads it. */
  seating: { model: "obligations.seating" },
} as const;
