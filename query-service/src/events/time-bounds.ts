import { MINUTE } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS, eventSortKey, eventSortKeyAfter, positionOfSortKey } from "@travel-booking/read-models";
import { type EventFilter, eventOf } from "./event-list.ts";

/**
 * Lists are in the order of the log, and so in the order of time as far as the clocks of the instances that wrote it
 * agree: to within this, at the least.
 */
const CLOCK_SKEW = MINUTE;

type List = Pick<PageRequest, "index" | "partition">;

/**
 * The part of a list outside of which no event is as old, or as new, as is asked for; inside, each has to be looked at.
 * Found in a few steps, however long the list is.
 */
export async function timeBounds(
  models: Pick<ReadModels, "page">,
  list: List,
  { createdAfter, createdBefore }: EventFilter,
  visible: bigint,
): Promise<Pick<PageRequest, "from" | "before">> {
  const from =
    createdAfter === undefined ? undefined : await firstPositionSince(models, list, createdAfter - CLOCK_SKEW, visible);
  const end =
    createdBefore === undefined
      ? undefined
      : await firstPositionSince(models, list, createdBefore + CLOCK_SKEW, visible);
  return {
    ...(from !== undefined && { from: eventSortKey(from, 0) }),
    before: end === undefined ? eventSortKeyAfter(visible) : eventSortKey(end, 0),
  };
}

/** The lowest position at or behind which the next event of the list is as old as this moment, or younger. */
async function firstPositionSince(
  models: Pick<ReadModels, "page">,
  list: List,
  moment: number,
  visible: bigint,
): Promise<bigint> {
  let low = 0n;
  let high = visible + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [next] = await models.page(EVENTS.event.model, {
      ...list,
      order: "ascending",
      limit: 1,
      from: eventSortKey(middle, 0),
      before: eventSortKey(high, 0),
    });
    if (next === undefined || Date.parse(eventOf(next).createdAt) >= moment) high = middle;
    else low = positionOfSortKey(next.sort) + 1n;
  }
  return low;
}
