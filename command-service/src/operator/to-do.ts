import { DAY, HOUR, type Instant } from "@travel-booking/domain";
import { type PageRequest, parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, BOOKINGS, FLIGHTS, type RefundRow, type StoredDisruption } from "@travel-booking/read-models";
import type { DueTaskList } from "../processes/due-task-list.ts";

/** No more of anything are looked at. */
const MOST = 1_000;
/** Gateways and banks say that a refund takes ten days at most. */
const REFUND_STUCK_AFTER = 14 * DAY;
const DISRUPTION_HANGS_AFTER = HOUR;
/** A party whose seats could not be assigned for so long has nobody but an operator. */
const UNSEATED_AFTER = HOUR;

interface ToDoOptions {
  readonly models: ReadModels;
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly now: Instant;
}

/** What nobody but an operator brings to an end. Of each at most 1,000 are looked at. */
export async function toDo({ models, list, now }: ToDoOptions) {
  const rows = async <Row>(model: string, index: string, order: PageRequest["order"] = "ascending") =>
    (await models.page(model, { index, partition: ALL_PARTITION, order, limit: MOST })).map((item) =>
      parseBody<Row>(item),
    );
  const { refund } = BOOKINGS;
  const { disruption } = FLIGHTS;
  const refunds = await rows<RefundRow>(refund.model, refund.oldest);
  const pending = refunds.filter(({ status }) => status === "pending");
  const open = await rows<StoredDisruption>(disruption.model, disruption.open);
  const decided = await rows<StoredDisruption>(disruption.model, disruption.newest, "descending");
  // Seats that nobody chose are assigned a day before departure.
  const unseated = (await list.dueBy(now + DAY, MOST)).filter(({ task }) => task.kind === "assign_seats");
  return {
    refundsPending: pending.length,
    refundsStuck: pending.filter(({ createdAt }) => Date.parse(createdAt) < now - REFUND_STUCK_AFTER).length,
    refundsFailed: refunds.length - pending.length,
    disruptionsHanging:
      open.filter(({ status, at }) => status === "paused" || at < now - DISRUPTION_HANGS_AFTER).length +
      decided.filter(({ status, stuck }) => status === "ended" && stuck.length > 0).length,
    /** Who depart within two days. */
    partiesWithoutSeats: unseated.length,
    partiesUnseated: unseated.filter(({ task }) => task.dueAt < now - UNSEATED_AFTER).length,
  };
}

/** What is alerted on. */
export const ALERTED = ["refundsStuck", "refundsFailed", "disruptionsHanging", "partiesUnseated"] as const;
