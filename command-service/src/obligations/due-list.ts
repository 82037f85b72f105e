import { DUE_PARTITION, dueSort, dueSortFrom, type Obligation } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { OBLIGATIONS } from "@travel-booking/read-models";

export interface DueObligation {
  readonly key: string;
  readonly obligation: Obligation;
}

const PAGE = 200;

/** All that is due at `now`, page by page, soonest first; no page more is asked for once the signal aborts. */
export async function* duePages(
  list: Pick<DueList, "dueBy">,
  now: number,
  signal: AbortSignal,
): AsyncGenerator<readonly DueObligation[]> {
  let after: string | undefined;
  while (!signal.aborted) {
    const page: readonly DueObligation[] = await list.dueBy(now, PAGE, after);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = dueSort(last.obligation.dueAt, last.key);
  }
}

/** The open obligations, soonest first. */
export class DueList {
  readonly #models: ReadModels;
  readonly #partition: string;

  /** @param partition which of the lists; that of everything that is quickly met unless told. */
  constructor(models: ReadModels, partition: string = DUE_PARTITION) {
    this.#models = models;
    this.#partition = partition;
  }

  /** At most `limit` that are due at `now`, behind the place `after`. */
  dueBy(now: number, limit: number, after?: string): Promise<readonly DueObligation[]> {
    return this.#page(limit, dueSortFrom(now + 1), after);
  }

  /** The soonest that is due after `now`. */
  async next(now: number): Promise<DueObligation | undefined> {
    return (await this.#page(1, undefined, undefined, dueSortFrom(now + 1))).at(0);
  }

  async #page(limit: number, before?: string, after?: string, from?: string): Promise<readonly DueObligation[]> {
    const items = await this.#models.page(OBLIGATIONS.due.model, {
      index: OBLIGATIONS.due.byDueTime,
      partition: this.#partition,
      order: "ascending",
      limit,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(from === undefined ? {} : { from }),
    });
    return items.map((item) => ({
      key: item.key,
      obligation: parseBody<Obligation>(item),
    }));
  }
}
