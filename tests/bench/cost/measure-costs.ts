import { ROOT } from "../../support/service.ts";
import { type Bench, reportFailure, withCleanUps } from "../bench.ts";
import { FilledStore } from "./filled-store.ts";
import type { CostFigure } from "./goals.ts";
import { inTurn } from "./in-turn.ts";
import { Meter } from "./meter.ts";
import { cpuOfRound, startValidatedPost } from "./reference.ts";
import type { Row } from "./row.ts";
import type { CostRowName } from "./row-names.ts";
import { COST_ROWS } from "./rows.ts";
import { type Common, Side } from "./side.ts";

/** A row as this code was measured, and another checkout where there is one; or why there is nothing of it. */
export type MeasuredRow =
  | { readonly name: CostRowName; readonly sides: readonly MeasuredSide[] }
  | { readonly name: CostRowName; readonly failure: string };

interface MeasuredSide {
  readonly row: Row;
  readonly rounds: readonly unknown[];
}

/** Of this code, over all rounds. */
export function leastFigures(measured: MeasuredRow): readonly CostFigure[] {
  const [side] = "sides" in measured ? measured.sides : [];
  return side?.row.figures(side.rounds) ?? [];
}

/** What one row can't measure keeps no other from being measured. */
export async function measureCosts(bench: Bench, names: readonly CostRowName[]): Promise<readonly MeasuredRow[]> {
  const { against } = bench.options;
  const stores = [await FilledStore.make(bench, ROOT)];
  if (against !== undefined) stores.push(await FilledStore.make(bench, against));
  const meter = new Meter(bench);
  const validatedPost = await startValidatedPost(bench, meter);
  const rows: MeasuredRow[] = [];
  for (const name of names) {
    try {
      const measure = (atEnd: Bench["atEnd"]) =>
        measureRow({ ...bench, atEnd }, name, stores, { meter, validatedPost });
      const measured = { name, sides: await withCleanUps(measure) };
      rows.push(measured);
      for (const { goal, value, detail } of leastFigures(measured))
        bench.say(`${goal}: ${value.toFixed(2)} (${detail})`);
    } catch (error) {
      // What one of two can't do is left out.
      if (against === undefined) reportFailure(error);
      else bench.say(String(error));
      rows.push({ name, failure: (error as Error).message });
    }
  }
  return rows;
}

/** Both sides get ready before either is measured. */
async function measureRow(
  bench: Bench,
  name: CostRowName,
  stores: readonly FilledStore[],
  { meter, validatedPost }: Pick<Common, "meter" | "validatedPost">,
): Promise<readonly MeasuredSide[]> {
  let made: Promise<unknown> | undefined;
  const shared = <Value>(make: () => Promise<Value>) => {
    made ??= make();
    return made as Promise<Value>;
  };
  const common = { meter, validatedPost, validatedPostCpu: cpuOfRound(meter, validatedPost), shared };
  const rows: Row[] = [];
  for (const [index, store] of stores.entries()) {
    const called = stores.length === 1 ? "" : index === 0 ? "this: " : "other: ";
    const say = (text: string) => bench.say(`${called}${text}`);
    const row = await named(called, COST_ROWS[name](new Side({ ...bench, say }, store, common)));
    rows.push({ ...row, measure: (round) => named(called, row.measure(round)) });
  }
  const rounds = await inTurn(rows, bench.options.rounds);
  return rows.map((row, index) => ({ row, rounds: rounds[index] ?? [] }));
}

/** An error says whose it is. */
function named<Result>(called: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: Error) => {
    error.message = `${called}${error.message}`;
    throw error;
  });
}
