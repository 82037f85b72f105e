import { hostname } from "node:os";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { type Readiness, readinessReport } from "@travel-booking/http";
import { type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { ALL_PARTITION, BOOKINGS, type DocumentRow, type TransferRow } from "@travel-booking/read-models";
import { type Logger, type Metrics, type RecentProblems, type Shutdown, Vitals } from "@travel-booking/runtime";
import { DueTaskList } from "../processes/due-task-list.ts";
import { listAll, type OperatorServices } from "./operator-services.ts";
import { toDo } from "./to-do.ts";

/** More due tasks are not counted. */
const MAX_COUNTED = 1_000;
/** A due task runs at once. If it waits longer than this, there is a reason. */
const OVERDUE_MS = 60_000;

interface SummaryOptions {
  readonly services: OperatorServices;
  readonly health: Readiness;
  /** False: the read model of due tasks is stopped, so nobody knows what has fallen due since. */
  readonly areDueTasksKnown: () => Promise<boolean>;
  readonly metrics: Metrics;
  readonly problems: RecentProblems;
  readonly shutdown: Shutdown;
}

/** `summary`: what an operator has to do, and the state of this instance. A part that can't be read is left out. */
export function summaryRoutes({
  services,
  health,
  areDueTasksKnown,
  metrics,
  problems,
  shutdown,
}: SummaryOptions): readonly OperatorRoute[] {
  const { models, clock, logger } = services;
  const vitals = new Vitals(metrics);
  vitals.start(shutdown);
  const startedAt = new Date().toISOString();
  const list = new DueTaskList(models);
  const rows = async <Row>({ model }: { readonly model: string }, index: string) =>
    (await listAll(models, model, index, ALL_PARTITION)) as readonly Row[];

  async function due() {
    if (!(await areDueTasksKnown())) return null;
    const now = clock.now();
    const tasks = await list.dueBy(now, MAX_COUNTED);
    const overdue = tasks.filter(({ task }) => task.dueAt < now - OVERDUE_MS);
    return { now: tasks.length, overdue: overdue.length, oldest: overdue[0]?.key ?? null };
  }
  async function waiting() {
    const { document, transfer, expectedTransfer } = BOOKINGS;
    const documents = await rows<DocumentRow>(document, document.oldest);
    const transfers = await rows<TransferRow>(transfer, transfer.newest);
    const expected = await rows(expectedTransfer, expectedTransfer.oldest);
    return {
      documents: documents.filter(({ awaits }) => awaits === "operator").length,
      transfers: expected.length,
      unmatched: transfers.filter(({ status }) => status === "unmatched").length,
      returns: transfers.filter(({ status }) => status === "to_return").length,
      ...(await toDo({ models, list, now: clock.now() })),
    };
  }
  return [
    operatorRoute("GET", "/operator/summary", async () => {
      const [ready, dueTasks, waits] = await Promise.all([
        readinessReport(health),
        orNull(due, logger),
        orNull(waiting, logger),
      ]);
      return {
        instance: { host: hostname(), process: process.pid, startedAt },
        now: new Date(clock.now()).toISOString(),
        ...ready,
        due: dueTasks,
        waiting: waits,
        vitals: { intervalSeconds: vitals.intervalSeconds, series: vitals.series },
        problems: problems.newest,
      };
    }),
  ];
}

/** Null if a part can't be read, for example while a store is out of reach. Then the other parts matter most. */
async function orNull<Value>(read: () => Promise<Value>, logger: Logger): Promise<Value | null> {
  return read().catch((error: unknown) => {
    if (!(error instanceof EngineUnavailable)) logger.error({ err: error }, "a part of the summary can't be read");
    return null;
  });
}
