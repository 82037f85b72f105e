import { type ApiResponse, unavailable } from "@travel-booking/http";

const RETRY_AFTER_SECONDS = 30;
const NOT_OUR_LOG = unavailable(
  "out_of_reach",
  "The service's event log is not in its place, and nothing is changed; nothing was attempted. Try again later.",
  RETRY_AFTER_SECONDS,
);

/** What is written to another log would never be shown (docs/decisions/0045-a-log-is-known-by-its-events.md). */
export const refuseWriteToAnotherLog = (log: { readonly problem: Error | undefined }) => (): ApiResponse | undefined =>
  log.problem && NOT_OUR_LOG;
