import { MINUTE } from "@travel-booking/domain";
import { type PageItem, type PageRequest, positionSort, type ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS, jsonOwnedBy } from "./bookings.ts";

/** Lists are in the order of the log. The clocks of its writers differ by this at most, so times may be out of order. */
export const MAX_CLOCK_SKEW = MINUTE;

/** A list whose sort values are positions of the log, perhaps with more behind them. */
interface ListByPosition extends Pick<PageRequest, "index" | "partition"> {
  readonly model: string;
  /** When what an entry is about happened, in milliseconds since the epoch. */
  readonly atOf: (item: PageItem) => number;
}

/**
 * The lowest position up to `end` from which on the next entry of a list happened at this moment or later, found by binary search: a
 * `MAX_CLOCK_SKEW` before a moment everything below it happened earlier, and behind it everything else later.
 */
export async function positionSince(
  models: Pick<ReadModels, "page">,
  { model, atOf, ...list }: ListByPosition,
  moment: number,
  end: bigint,
): Promise<bigint> {
  const ofAll = { ...list, before: positionSort(end), order: "descending", limit: 1 } as const;
  const [last] = await models.page(model, ofAll);
  if (last === undefined) return 0n;
  // Most lists have nothing new, and need no search.
  if (atOf(last) < moment) return positionIn(last.sort) + 1n;
  let low = 0n;
  let high = positionIn(last.sort);
  while (low < high) {
    const middle = (low + high) / 2n;
    const bounds = { from: positionSort(middle), before: positionSort(high) };
    const [next] = await models.page(model, { ...list, ...bounds, order: "ascending", limit: 1 });
    if (next === undefined || atOf(next) >= moment) high = middle;
    else low = positionIn(next.sort) + 1n;
  }
  return low;
}

/**
 * The part of an account's list of bookings that has all that were made in a period. It may have others, too.
 * @param from the first moment, and `before` the first one after it: milliseconds since the epoch, or undefined.
 * @param end a position above those of the list.
 */
export async function boundsOfBookings(
  models: Pick<ReadModels, "page">,
  accountId: string,
  { from, before }: { readonly from?: number | undefined; readonly before?: number | undefined },
  end: bigint,
): Promise<Pick<PageRequest, "from" | "before">> {
  const { model, byAccount: index } = BOOKINGS.booking;
  const atOf = ({ json }: PageItem) => Date.parse(JSON.parse(jsonOwnedBy(accountId, json) ?? json).createdAt);
  const list = { model, index, partition: accountId, atOf };
  const since = async (moment: number) => positionSort(await positionSince(models, list, moment, end));
  return {
    ...(from !== undefined && { from: await since(from - MAX_CLOCK_SKEW) }),
    ...(before !== undefined && { before: await since(before + MAX_CLOCK_SKEW) }),
  };
}

const POSITION = positionSort(0n).length;

function positionIn(sort: string): bigint {
  return BigInt(sort.slice(0, POSITION));
}
