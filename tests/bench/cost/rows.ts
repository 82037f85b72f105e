import { bytes } from "./bytes.ts";
import { book, bookOnFullFlights, get, hold, list, pay, payThroughStripe, sealing } from "./commands.ts";
import { delivery } from "./delivery.ts";
import { memory } from "./memory.ts";
import { oneConnection } from "./one-connection.ts";
import { overload } from "./overload.ts";
import { pass } from "./pass.ts";
import { rebuild } from "./rebuild.ts";
import type { CostRow } from "./row.ts";
import type { CostRowName } from "./row-names.ts";
import { start } from "./start.ts";
import { tail } from "./tail.ts";

/** How each row is measured. */
export const COST_ROWS: Readonly<Record<CostRowName, CostRow>> = {
  book,
  full: bookOnFullFlights,
  sealing,
  hold,
  pay,
  stripe: payThroughStripe,
  get,
  list,
  rebuild,
  delivery,
  bytes,
  memory,
  tail,
  overload,
  one: oneConnection,
  pass,
  start,
};
