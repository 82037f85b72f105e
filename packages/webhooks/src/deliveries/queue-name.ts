/** The job queue whose jobs wake lanes, by name: the same for all who wake and all who work. */
export const LANE_QUEUE = "webhook-lanes";
