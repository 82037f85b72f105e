import { DUE_PARTITION, type DueTask, storedDueTask } from "@travel-booking/domain";
import { DUE_TASKS } from "@travel-booking/read-models";
import type { ProjectedModels } from "./deliver.ts";

/** The open tasks of a list, soonest first. */
export async function dueList({ models }: ProjectedModels, partition = DUE_PARTITION): Promise<readonly DueTask[]> {
  const { model, byDueTime: index } = DUE_TASKS.due;
  const items = await models.page(model, { index, partition, order: "ascending", limit: 1_000 });
  return items.map(({ key, sort, json }) => storedDueTask(key, sort, json));
}
