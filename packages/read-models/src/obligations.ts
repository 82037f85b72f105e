/** Projection `obligations`: what is still to be done, by the obligation's key. */
export const OBLIGATIONS = {
  projection: "obligations",
  due: {
    model: "obligations.due",
    /** Partition `DUE_PARTITION`, sorted by `dueSort`. */
    byDueTime: "byDueTime",
  },
} as const;
