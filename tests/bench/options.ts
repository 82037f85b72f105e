import { parseArgs } from "node:util";
import { GOAL_NAMES, type GoalName } from "./report/goals.ts";

export interface Options {
  /** Rounds of each measurement; each round measures the reference, then the service. */
  readonly rounds: number;
  /** Length of one load run. */
  readonly seconds: number;
  readonly only: ReadonlySet<GoalName>;
  /** Events in the logs that are replayed, rebuilt from and started on. */
  readonly events: number;
  /** Where the table goes as Markdown besides. */
  readonly markdown: string | undefined;
}

export const USAGE = `usage: npm run bench -- [--rounds N] [--seconds S] [--only P1,P6] [--events N] [--markdown FILE]`;

export class WrongOption extends Error {}

function atLeast(text: string, name: string, smallest: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= smallest) return value;
  throw new WrongOption(`--${name} takes a number from ${smallest} up, not ${JSON.stringify(text)}`);
}

function goalNamed(text: string): GoalName {
  const goal = GOAL_NAMES.find((name) => name === text);
  if (goal === undefined) throw new WrongOption(`--only takes ${GOAL_NAMES.join(", ")}, not ${JSON.stringify(text)}`);
  return goal;
}

function parse(line: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { rounds: text, seconds: text, only: text, events: text, markdown: text };
  try {
    return parseArgs({ args: [...line], options, strict: true }).values;
  } catch (error) {
    throw new WrongOption((error as Error).message);
  }
}

/** @throws WrongOption */
export function readOptions(line: readonly string[]): Options {
  const { rounds = "5", seconds = "3", only, events = "1000000", markdown } = parse(line);
  return {
    rounds: Math.floor(atLeast(rounds, "rounds", 1)),
    seconds: atLeast(seconds, "seconds", 0.1),
    only: new Set(only === undefined ? GOAL_NAMES : only.split(",").map(goalNamed)),
    events: Math.floor(atLeast(events, "events", 10_000)),
    markdown,
  };
}
