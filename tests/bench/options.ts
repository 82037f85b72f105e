import { parseArgs } from "node:util";
import { GOAL_NAMES, type GoalName } from "./report/goals.ts";

export const PROFILES = ["embedded", "distributed"] as const;
export type Profile = (typeof PROFILES)[number];

export interface Options {
  /** `distributed`: what that profile does beside the embedded one, instead of the goals. */
  readonly profile: Profile;
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

export const USAGE =
  "usage: npm run bench -- [--profile embedded|distributed] [--rounds N] [--seconds S] [--only P1,P6] [--events N] [--markdown FILE]";

export class InvalidOption extends Error {}

function atLeast(text: string, name: string, smallest: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= smallest) return value;
  throw new InvalidOption(`--${name} takes a number from ${smallest} up, not ${JSON.stringify(text)}`);
}

function goalNamed(text: string): GoalName {
  const goal = GOAL_NAMES.find((name) => name === text);
  if (goal === undefined) throw new InvalidOption(`--only takes ${GOAL_NAMES.join(", ")}, not ${JSON.stringify(text)}`);
  return goal;
}

function profileNamed(text: string): Profile {
  const profile = PROFILES.find((name) => name === text);
  if (profile === undefined)
    throw new InvalidOption(`--profile takes ${PROFILES.join(" or ")}, not ${JSON.stringify(text)}`);
  return profile;
}

function parse(line: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { profile: text, rounds: text, seconds: text, only: text, events: text, markdown: text };
  try {
    return parseArgs({ args: [...line], options, strict: true }).values;
  } catch (error) {
    throw new InvalidOption((error as Error).message);
  }
}

/** @throws WrongOption */
export function readOptions(line: readonly string[]): Options {
  const { profile = "embedded", rounds = "5", seconds = "3", only, events = "1000000", markdown } = parse(line);
  return {
    profile: profileNamed(profile),
    rounds: Math.floor(atLeast(rounds, "rounds", 1)),
    seconds: atLeast(seconds, "seconds", 0.1),
    only: new Set(only === undefined ? GOAL_NAMES : only.split(",").map(goalNamed)),
    events: Math.floor(atLeast(events, "events", 10_000)),
    markdown,
  };
}
