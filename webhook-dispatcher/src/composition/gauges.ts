import { applyHealthToLane } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock, Metrics } from "@travel-booking/runtime";
import { type DueDeliveries, EndpointStates, Lanes } from "@travel-booking/webhooks/deliveries";

/** More than that is not counted: that deliveries wait shows long before. */
const MAX_LANES_COUNTED = 10_000;
const MAX_EVENTS_COUNTED = 1_000;
/** Real time: two metrics come from one look at the lanes. */
const CACHE_TTL_MS = 500;

export interface DispatcherGaugesOptions {
  readonly metrics: Metrics;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly due: Pick<DueDeliveries, "countPendingEvents">;
}

/** What an operator watches: whether deliveries keep up with events. */
export function registerDispatcherGauges({ metrics, state, clock, due }: DispatcherGaugesOptions): void {
  const lanes = new Lanes(state);
  const endpoints = new EndpointStates(state);
  metrics.labelledGauge(
    "webhook_events_waiting",
    `Events that can be seen and were not taken up for webhooks yet, ${MAX_EVENTS_COUNTED} at most.`,
    async () => [{ labels: {}, value: await due.countPendingEvents(MAX_EVENTS_COUNTED) }],
  );
  const backlog = cachedFor(CACHE_TTL_MS, () => backlogOf(lanes, endpoints));
  metrics.labelledGauge("webhook_lanes_owed", `Lanes with deliveries owed, ${MAX_LANES_COUNTED} at most.`, async () => [
    { labels: {}, value: (await backlog()).lanes },
  ]);
  metrics.labelledGauge(
    "webhook_oldest_undelivered_seconds",
    "Age of the oldest event that is still to be delivered.",
    async () => {
      const { oldest } = await backlog();
      return [{ labels: {}, value: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / 1_000 }];
    },
  );
  metrics.labelledGauge("webhook_endpoints_impaired", "Endpoints that fail or are paused.", async () => {
    const counts = { failing: 0, paused: 0 };
    for await (const { state: known } of endpoints.all()) {
      const { status } = known.health;
      if (status !== "active") counts[status] += 1;
    }
    return Object.entries(counts).map(([status, value]) => ({ labels: { status }, value }));
  });
}

async function backlogOf(lanes: Lanes, endpoints: EndpointStates) {
  const backlog: { lanes: number; oldest: number | undefined } = { lanes: 0, oldest: undefined };
  for await (const endpointId of lanes.endpoints()) {
    const { health } = await endpoints.get(endpointId);
    for await (const { lane } of lanes.ofEndpoint(endpointId)) {
      const at = applyHealthToLane(lane, health).owed[0]?.at;
      if (at === undefined) continue;
      backlog.lanes += 1;
      backlog.oldest = Math.min(backlog.oldest ?? at, at);
      if (backlog.lanes >= MAX_LANES_COUNTED) return backlog;
    }
  }
  return backlog;
}

function cachedFor<Value>(milliseconds: number, look: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return () => {
    if (kept === undefined || performance.now() >= kept.until) {
      kept = { value: look(), until: performance.now() + milliseconds };
    }
    return kept.value;
  };
}
