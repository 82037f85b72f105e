import { hostname } from "node:os";
import { DAY, HOUR, type Instant } from "@travel-booking/domain";
import { type PageRequest, parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { type Readiness, readinessReport } from "@travel-booking/http";
import { type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  ALL_PARTITION,
  BOOKINGS,
  type DocumentRow,
  FLIGHTS,
  type RefundRow,
  type StoredDisruption,
  type TransferRow,
} from "@travel-booking/read-models";
import { type Logger, type Metrics, type RecentProblems, type Shutdown, Vitals } from "@travel-booking/runtime";
import { DueTaskList } from "../processes/due-task-list.ts";
import { firstOf, listAll, listItems, type OperatorServices } from "./operator-services.ts";

/** No more of anything that customers leave to operators are looked at. */
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

  async function due() {
    if (!(await areDueTasksKnown())) return null;
    const now = clock.now();
    const tasks = await list.dueBy(now, MAX_COUNTED);
    const overdue = tasks.filter(({ task }) => task.dueAt < now - OVERDUE_MS);
    return { now: tasks.length, overdue: overdue.length, oldest: overdue[0]?.key ?? null };
  }
  async function waiting() {
    const { document, transfer, expectedTransfer } = BOOKINGS;
    const oldest = async ({ model, oldest: index }: typeof document | typeof expectedTransfer) =>
      firstOf(listItems(models, model, index, ALL_PARTITION), MAX_COUNTED, parseBody<DocumentRow>);
    const documents = await oldest(document);
    const transfers = (await listAll(models, transfer.model, transfer.newest, ALL_PARTITION)) as readonly TransferRow[];
    const expected = await oldest(expectedTransfer);
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

/** Gateways and banks say that a refund takes ten days at most. */
const REFUND_STUCK_AFTER = 14 * DAY;
const DISRUPTION_HANGS_AFTER = HOUR;
/** A party whose seats could not be assigned for so long has nobody but an operator. */
const UNSEATED_AFTER = HOUR;
const MOST_NAMED = 10;

interface ToDoOptions {
  readonly models: ReadModels;
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly now: Instant;
}

/** What nobody but an operator brings to an end. Of each at most 1,000 are looked at. */
export async function toDo({ models, list, now }: ToDoOptions) {
  const rows = async <Row>(model: string, index: string, order: PageRequest["order"] = "ascending") =>
    (await models.page(model, { index, partition: ALL_PARTITION, order, limit: MAX_COUNTED })).map((item) =>
      parseBody<Row>(item),
    );
  const { refund } = BOOKINGS;
  const { disruption } = FLIGHTS;
  const refunds = await rows<RefundRow>(refund.model, refund.oldest);
  const pending = refunds.filter(({ status }) => status === "pending");
  const open = await rows<StoredDisruption>(disruption.model, disruption.open);
  const decided = await rows<StoredDisruption>(disruption.model, disruption.newest, "descending");
  // Seats that nobody chose are assigned a day before departure.
  const unseated = (await list.dueBy(now + DAY, MAX_COUNTED)).flatMap(({ task }) =>
    task.kind === "assign_seats" ? [task] : [],
  );
  const givenUp = unseated.filter(({ dueAt }) => dueAt < now - UNSEATED_AFTER);
  return {
    refundsPending: pending.length,
    refundsStuck: pending.filter(({ createdAt }) => Date.parse(createdAt) < now - REFUND_STUCK_AFTER).length,
    refundsFailed: refunds.length - pending.length,
    disruptionsHanging:
      open.filter(({ status, at }) => status === "paused" || at < now - DISRUPTION_HANGS_AFTER).length +
      decided.filter(({ status, stuck }) => status === "ended" && stuck.length > 0).length,
    /** Who depart within two days. */
    partiesWithoutSeats: unseated.length,
    partiesUnseated: givenUp.length,
    /** The bookings of some of them, the longest waiting first. */
    unseated: givenUp.slice(0, MOST_NAMED).map(({ bookingId }) => bookingId),
  };
}

/** What is alerted on. */
export const ALERTED = ["refundsStuck", "refundsFailed", "disruptionsHanging", "partiesUnseated"] as const;
