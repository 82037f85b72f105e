/** What can be measured by itself, as `--only` names it; in the order of the table. */
export const COST_ROW_NAMES = [
  "book",
  "full",
  "sealing",
  "hold",
  "pay",
  "stripe",
  "get",
  "list",
  "rebuild",
  "delivery",
  "bytes",
  "memory",
  "tail",
  "overload",
  "one",
  "pass",
  "start",
] as const;
export type CostRowName = (typeof COST_ROW_NAMES)[number];
