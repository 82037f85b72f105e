import { bytes } from "./bytes.ts";
import { book, bookOnFullFlights, get, hold, list, pay } from "./commands.ts";
import type { CostBench } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";

/** What can be measured by itself, by the name `--only` knows it by. */
export const COST_ROWS = {
  book,
  full: bookOnFullFlights,
  hold,
  pay,
  get,
  list,
  bytes,
} as const satisfies Readonly<Record<string, (cost: CostBench) => Promise<readonly CostFigure[]>>>;

export type CostRowName = keyof typeof COST_ROWS;
export const COST_ROW_NAMES = Object.keys(COST_ROWS) as CostRowName[];
