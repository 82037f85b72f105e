/** The one partition of an index that lists everything. */
export const ALL_PARTITION = "all";
