import type { Metrics } from "@travel-booking/runtime";

export type DeliveryOutcome = "succeeded" | "failed" | "exhausted";

/** Counts what becomes of attempts. */
export interface DeliveryMetrics {
  recordAttempt(outcome: DeliveryOutcome, seconds: number, isRetry: boolean): void;
  /** An endpoint was paused. */
  recordPause(why: "gone" | "failing"): void;
}

/** Upper bounds in seconds, up to the time an attempt may take. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function deliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const outcomes = ["outcome"];
  const deliveries = metrics.counter(
    "webhook_deliveries_total",
    "Attempts to deliver, by what became of them.",
    outcomes,
  );
  const retries = metrics.counter("webhook_retries_total", "Attempts that were not the first at their delivery.");
  const pauses = metrics.counter("webhook_endpoint_pauses_total", "Endpoints paused, by why.", ["why"]);
  const name = "webhook_delivery_duration_seconds";
  const durations = metrics.histogram({ name, help: "How long attempts take.", bounds: DURATION_BUCKETS }).child({});
  return {
    recordAttempt(outcome, seconds, isRetry) {
      deliveries.inc({ outcome });
      if (isRetry) retries.inc();
      durations.observe(seconds);
    },
    recordPause: (why) => pauses.inc({ why }),
  };
}
