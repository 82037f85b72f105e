import type { EventStore } from "@travel-booking/engines/event-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import type { ProjectionStatus, ProjectorControl } from "@travel-booking/read-models/control";
import type { Clock, Metrics } from "@travel-booking/runtime";
import type { DueTaskList } from "../due-tasks/due-task-list.ts";
import type { CountingHandler } from "./counting-handler.ts";

/** More than so many obligations due are not counted: that nothing is met shows long before. */
const MAX_COUNTED = 1_000;
const STATES: readonly ProjectionStatus["state"][] = ["live", "rebuilding", "stopped"];

export interface GaugesOptions {
  readonly handler: CountingHandler;
  readonly metrics: Metrics;
  readonly events: Pick<EventStore, "head">;
  readonly projector: Pick<ProjectorControl, "list">;
  readonly progress: ProjectionProgress;
  readonly list: DueTaskList;
  readonly clock: Clock;
}

/** What an operator watches besides requests: how far the log and the read models are, and what waits to be done. */
export function registerGauges({ metrics, handler, events, projector, progress, list, clock }: GaugesOptions): void {
  const head = async () => Number(await events.head());
  const positions = () =>
    PROJECTION_NAMES.map((projection) => ({ projection, position: Number(progress.positionOf(projection)) }));
  metrics.gauge("commands_total", "Commands decided since the start, refused ones included.", () => handler.commands);
  metrics.labelledGauge("event_log_position", "Position of the last event.", async () => [
    { labels: {}, value: await head() },
  ]);
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
  metrics.labelledGauge("obligations_due", `What is due and not met yet, ${MAX_COUNTED} at most.`, async () => [
    { labels: {}, value: (await list.dueBy(clock.now(), MAX_COUNTED)).length },
  ]);
}
