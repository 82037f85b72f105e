import { bytes } from "./bytes.ts";
import { book, bookOnFullFlights, get, hold, list, pay } from "./commands.ts";
import type { CostBench } from "./cost-bench.ts";
import { delivery } from "./delivery.ts";
import type { CostFigure } from "./goals.ts";
import { memory } from "./memory.ts";
import { oneConnection } from "./one-connection.ts";
import { overload } from "./overload.ts";
import { rebuild } from "./rebuild.ts";
import { start } from "./start.ts";
import { tail } from "./tail.ts";

/** What can be measured by itself, by the name `--only` knows it by. */
export const COST_ROWS = {
  book,
  full: bookOnFullFlights,
  hold,
  pay,
  get,
  list,
  rebuild,
  delivery,
  bytes,
  memory,
  tail,
  overload,
  one: oneConnection,
  start,
} as const satisfies Readonly<Record<string, (cost: CostBench) => Promise<readonly CostFigure[]>>>;

export type CostRowName = keyof typeof COST_ROWS;
export const COST_ROW_NAMES = Object.keys(COST_ROWS) as CostRowName[];
