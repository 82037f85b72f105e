import { PROJECTION_NAMES, type ProjectionProgress } from "@travel-booking/read-models";
import type { ProjectionStatus, ProjectorControl } from "@travel-booking/read-models/control";
import type { Metrics } from "@travel-booking/runtime";
import type { OperatorServices } from "../operator/operator-services.ts";
import { ALERTED, toDo } from "../operator/summary.ts";
import type { Reconciliation } from "../payments/daily-reconciliation.ts";
import type { DueTaskList } from "../processes/due-task-list.ts";
import { countPutOff } from "../processes/task-guard.ts";

/** More due tasks are not counted, because a scheduler that stands still is noticed long before. */
const MAX_COUNTED = 1_000;
const STATES: readonly ProjectionStatus["state"][] = ["live", "rebuilding", "stopped"];

interface CommandMetricsOptions {
  readonly metrics: Metrics;
  readonly services: OperatorServices;
  readonly projector: Pick<ProjectorControl, "list">;
  readonly progress: ProjectionProgress;
  readonly reconciliation: Reconciliation;
  readonly list: DueTaskList;
}

/** Metrics besides those of requests: log, read models, due tasks, payment gateway. */
export function registerCommandMetrics(options: CommandMetricsOptions): void {
  const { metrics, services, projector, progress, reconciliation, list } = options;
  const { handler, store: events, state, models, clock, gatewayMonitor } = services;
  const head = async () => Number(await events.head());
  const positions = () =>
    PROJECTION_NAMES.map((projection) => ({ projection, position: Number(progress.positionOf(projection)) }));
  metrics.gauge("commands_total", "Commands decided since the start, refused ones included.", () => handler.executed);
  metrics.labelledGauge("domain_events_total", "Events of business stored since the start, by type.", () =>
    handler.stored.entries().map(([type, value]) => ({ labels: { type }, value })),
  );
  metrics.gauge("event_log_position", "Position of the last event.", head);
  metrics.labelledGauge("projection_position", "Everything up to here can be read.", () =>
    positions().map(({ projection, position }) => ({ labels: { projection }, value: position })),
  );
  metrics.labelledGauge("projection_lag", "How far a projection is behind the last event.", async () => {
    const last = await head();
    return positions().map(({ projection, position }) => ({
      labels: { projection },
      value: Math.max(0, last - position),
    }));
  });
  metrics.labelledGauge("projection_state", "1 for the state a projection is in.", async () =>
    (await projector.list()).flatMap(({ name, state }) =>
      STATES.map((one) => ({ labels: { projection: name, state: one }, value: one === state ? 1 : 0 })),
    ),
  );
  metrics.gauge(
    "obligations_due",
    `Due tasks that have not run yet, ${MAX_COUNTED} at most.`,
    async () => (await list.dueBy(clock.now(), MAX_COUNTED)).length,
  );
  metrics.labelledGauge(
    "operator_to_do",
    "What nobody but an operator brings to an end, 1,000 of each at most.",
    async () => {
      const found = await toDo({ models, list, now: clock.now() });
      return ALERTED.map((what) => ({ labels: { what }, value: found[what] }));
    },
  );
  metrics.gauge("obligations_put_off", "Due tasks in the midst of which a process has ended.", () =>
    countPutOff(state, Date.now()),
  );
  metrics.gauge(
    "payment_gateway_refusals_total",
    "How often the payment gateway has refused this service's own key or account.",
    () => gatewayMonitor.refusals,
  );
  // Shows the last result, also that of another instance.
  metrics.gauge(
    "payment_differences",
    "Differences between the payment gateway's ledger and ours, as last reconciled.",
    async () => (await reconciliation.last())?.differences,
  );
  metrics.gauge("payments_reconciled_seconds", "Seconds since payments were last reconciled.", async () => {
    const last = await reconciliation.last();
    return last && Math.round((clock.now() - last.at) / 1_000);
  });
}
