/** The open due tasks, by `dueTaskKey`. `obligations` is the stored name of the projection. */
export const DUE_TASKS = {
  projection: "obligations",
  version: 7,
  due: {
    model: "obligations.due",
    /** Partition: `partitionOf` the task, sorted by `dueSortKey`. `storedDueTask` makes the task of an entry. */
    byDueTime: "byDueTime",
  },
  /** When a booking without seats will get some; by booking id. Only the projection itself reads it. */
  seating: { model: "obligations.seating" },
} as const;
