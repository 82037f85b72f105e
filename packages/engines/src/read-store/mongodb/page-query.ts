import type { Filter, FindOptions } from "mongodb";
import { encodeText } from "../../mongodb/index.ts";
import type { PageRequest } from "../port.ts";
import { READ_TIMEOUT_MS } from "./read-timeouts.ts";
import { partitionField, type Stored, sortField } from "./stored-document.ts";

export interface PageQuery {
  readonly filter: Filter<Stored>;
  readonly options: FindOptions;
}

/** What finds one page, in one message as far as it fits. */
export function pageQuery({ index, partition, order, limit, after, from, before }: PageRequest): PageQuery {
  const sort = sortField(index);
  const isAscending = order === "ascending";
  const below = (isAscending ? [before] : [before, after]).filter((bound) => bound !== undefined).sort()[0];
  const bounds = {
    ...(from !== undefined && { $gte: encodeText(from) }),
    ...(isAscending && after !== undefined && { $gt: encodeText(after) }),
    ...(below !== undefined && { $lt: encodeText(below) }),
  };
  return {
    filter: {
      [partitionField(index)]: encodeText(partition),
      ...(Object.keys(bounds).length > 0 && { [sort]: bounds }),
    },
    options: {
      sort: { [sort]: isAscending ? 1 : -1 },
      limit,
      // One more than there can be: the server sees at once that nothing is left to be fetched.
      batchSize: limit + 1,
      projection: { body: 1, staleAt: 1, [sort]: 1 },
      maxTimeMS: READ_TIMEOUT_MS,
    },
  };
}
