import { DUE_PARTITION, type DueTask, dueSortKey, dueSortKeyFrom, storedDueTask } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { DUE_TASKS } from "@travel-booking/read-models";

export interface DueTaskEntry {
  readonly key: string;
  readonly task: DueTask;
}

const PAGE = 200;

/** The tasks that are due at `now`, page by page, soonest first. Ends when the signal aborts. */
export async function* dueTaskPages(
  list: Pick<DueTaskList, "dueBy">,
  now: number,
  signal?: AbortSignal | undefined,
): AsyncGenerator<readonly DueTaskEntry[]> {
  let after: string | undefined;
  while (signal?.aborted !== true) {
    const page: readonly DueTaskEntry[] = await list.dueBy(now, PAGE, after);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = dueSortKey(last.task.dueAt, last.key);
  }
}

/** The open due tasks, soonest first. */
export class DueTaskList {
  readonly #models: ReadModels;
  readonly #partition: string;

  /** @param partition default: the tasks that do not take long. */
  constructor(models: ReadModels, partition: string = DUE_PARTITION) {
    this.#models = models;
    this.#partition = partition;
  }

  /** At most `limit` tasks that are due at `now`, after the sort key `after`. */
  dueBy(now: number, limit: number, after?: string): Promise<readonly DueTaskEntry[]> {
    return this.#page(limit, { before: dueSortKeyFrom(now + 1), ...(after !== undefined && { after }) });
  }

  /** The soonest task that is due after `now`. */
  async nextDueAfter(now: number): Promise<DueTaskEntry | undefined> {
    return (await this.#page(1, { from: dueSortKeyFrom(now + 1) })).at(0);
  }

  async #page(limit: number, range: Pick<PageRequest, "before" | "after" | "from">): Promise<readonly DueTaskEntry[]> {
    const items = await this.#models.page(DUE_TASKS.due.model, {
      index: DUE_TASKS.due.byDueTime,
      partition: this.#partition,
      order: "ascending",
      limit,
      ...range,
    });
    return items.map(({ key, sort, json }) => ({ key, task: storedDueTask(key, sort, json) }));
  }
}
