import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock, Metrics } from "@travel-booking/runtime";
import { cachedFor } from "@travel-booking/runtime/real-time";
import {
  BacklogCount,
  type DeliveryAttempt,
  DeliveryStore,
  type DueDeliveries,
} from "@travel-booking/webhooks/deliveries";

/** Counts the outcomes of attempts. */
export interface DeliveryMetrics {
  recordAttempt(outcome: DeliveryAttempt["status"], seconds: number, isRetry: boolean): void;
  recordPause(why: "gone" | "failing"): void;
}

/** Upper bounds in seconds, up to the time an attempt may take. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function deliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const outcomes = ["outcome"];
  const deliveries = metrics.counter("webhook_deliveries_total", "Delivery attempts by outcome.", outcomes);
  const retries = metrics.counter("webhook_retries_total", "Attempts that were not the first of their delivery.");
  const pauses = metrics.counter("webhook_endpoint_pauses_total", "Endpoints paused, by reason.", ["why"]);
  const name = "webhook_delivery_duration_seconds";
  const durations = metrics.histogram({ name, help: "Duration of attempts.", bounds: DURATION_BUCKETS }).child({});
  return {
    recordAttempt(outcome, seconds, isRetry) {
      deliveries.inc({ outcome });
      if (isRetry) retries.inc();
      durations.observe(seconds);
    },
    recordPause: (why) => pauses.inc({ why }),
  };
}

/** Bounds for counting, beyond which the exact number does not matter. */
const MAX_LANES_COUNTED = 10_000;
const MAX_EVENTS_COUNTED = 1_000;
/** Real time in which two metrics share one scan of the lanes. */
const CACHE_TTL_MS = 500;

interface DispatcherGaugesOptions {
  readonly metrics: Metrics;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly due: Pick<DueDeliveries, "countPendingEvents">;
}

/** Gauges that show whether deliveries keep up with events. */
export function registerDispatcherGauges({ metrics, state, clock, due }: DispatcherGaugesOptions): void {
  const stored = new DeliveryStore(state);
  metrics.gauge(
    "webhook_events_waiting",
    `Visible events that are not fanned out to webhooks yet, ${MAX_EVENTS_COUNTED} at most.`,
    () => due.countPendingEvents(MAX_EVENTS_COUNTED),
  );
  const backlog = cachedFor(CACHE_TTL_MS, () => backlogOf(stored));
  metrics.gauge(
    "webhook_lanes_owed",
    `Lanes with pending deliveries, ${MAX_LANES_COUNTED} at most.`,
    async () => (await backlog()).lanesOwed,
  );
  metrics.gauge("webhook_oldest_undelivered_seconds", "Age of the oldest event with a pending delivery.", async () => {
    const { oldestOwedAt } = await backlog();
    return oldestOwedAt === null ? 0 : Math.max(0, clock.now() - oldestOwedAt) / 1_000;
  });
  metrics.labelledGauge("webhook_endpoints_impaired", "Endpoints that are failing or paused.", async () => {
    const counts = { failing: 0, paused: 0 };
    for await (const endpointId of stored.lanes.endpoints()) {
      const { status } = (await stored.endpoints.get(endpointId)).health;
      if (status !== "active") counts[status] += 1;
    }
    return Object.entries(counts).map(([status, value]) => ({ labels: { status }, value }));
  });
}

async function backlogOf({ lanes, endpoints }: DeliveryStore): Promise<BacklogCount> {
  const backlog = new BacklogCount();
  for await (const endpointId of lanes.endpoints()) {
    const { health } = await endpoints.get(endpointId);
    for await (const { lane } of lanes.ofEndpoint(endpointId)) {
      backlog.add(lane, health);
      if (backlog.lanesOwed >= MAX_LANES_COUNTED) return backlog;
    }
  }
  return backlog;
}
