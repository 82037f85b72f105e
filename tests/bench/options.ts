import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { COST_ROW_NAMES, type CostRowName } from "./cost/row-names.ts";
import { GOAL_NAMES, type GoalName } from "./report/goals.ts";

export interface Options {
  /** Rounds of each measurement; each round measures the reference, then the service, or both. */
  readonly rounds: number;
  /** Length of one load run. */
  readonly seconds: number;
  readonly only: ReadonlySet<GoalName>;
  /** What operations cost, instead of the goals: these rows. */
  readonly cost: readonly CostRowName[] | undefined;
  /** A checkout of another version, whose service is measured in turn with this one. */
  readonly against: string | undefined;
  /** What attacks leave to a good client, instead of the goals. */
  readonly attacks: boolean;
  /** The log of the store that costs are measured on is on the double of EventStoreDB, a process of its own. */
  readonly eventStore: boolean;
  /** In the store that costs are measured on. */
  readonly bookings: number;
  /** A folder where that store is kept; made if it is not there. */
  readonly store: string | undefined;
  /** A folder for V8's processor profiles of the service's threads, to be opened in a browser's developer tools. */
  readonly profiles: string | undefined;
  /** Where the table goes as Markdown besides. */
  readonly markdown: string | undefined;
}

export const USAGE = `usage: npm run bench -- [--rounds N] [--seconds S] [--only P2,P3] [--markdown FILE]
       npm run bench -- --cost [--only ${COST_ROW_NAMES.join(",")}] [--rounds N] [--bookings N] [--store FOLDER | --event-store] [--profiles FOLDER] [--markdown FILE]
       npm run bench -- --cost --against CHECKOUT [--only …] [--rounds N] [--bookings N] [--event-store] [--markdown FILE]
       npm run bench -- --attacks [--seconds S] [--markdown FILE]`;

export class InvalidOption extends Error {}

function atLeast(text: string, name: string, smallest: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= smallest) return value;
  throw new InvalidOption(`--${name} takes a number from ${smallest} up, not ${JSON.stringify(text)}`);
}

function namesOf<Name extends string>(text: string | undefined, names: readonly Name[]): readonly Name[] {
  if (text === undefined) return names;
  return text.split(",").map((part) => {
    const found = names.find((name) => name === part);
    if (found === undefined) throw new InvalidOption(`--only takes ${names.join(", ")}, not ${JSON.stringify(part)}`);
    return found;
  });
}

function parse(line: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    rounds: text,
    seconds: text,
    only: text,
    markdown: text,
    cost: { type: "boolean" },
    against: text,
    attacks: { type: "boolean" },
    "event-store": { type: "boolean" },
    bookings: text,
    store: text,
    profiles: text,
  } as const;
  try {
    return parseArgs({ args: [...line], options, strict: true }).values;
  } catch (error) {
    throw new InvalidOption((error as Error).message);
  }
}

/** Its absolute path. */
function checkoutAt(folder: string): string {
  const isThere = (name: string) => existsSync(join(folder, name));
  if (["package.json", "node_modules", "tests/bench"].every(isThere)) return resolve(folder);
  const checkout = "a checkout of this repository with its dependencies installed";
  throw new InvalidOption(`--against takes ${checkout}, not ${JSON.stringify(folder)}`);
}

/** @throws InvalidOption */
export function readOptions(line: readonly string[]): Options {
  const { rounds, seconds = "3", only, markdown, ...rest } = parse(line);
  const {
    cost = false,
    attacks = false,
    bookings = "100000",
    store,
    profiles,
    against,
    "event-store": eventStore = false,
  } = rest;
  if (eventStore && (!cost || store !== undefined))
    throw new InvalidOption("--event-store goes with --cost, without --store");
  if (against !== undefined && (!cost || store !== undefined || profiles !== undefined))
    throw new InvalidOption("--against goes with --cost, without --store and --profiles");
  const usualRounds = against !== undefined ? 8 : cost ? 4 : 5;
  return {
    rounds: Math.floor(atLeast(rounds ?? String(usualRounds), "rounds", 1)),
    seconds: atLeast(seconds, "seconds", 0.1),
    only: new Set(cost ? [] : namesOf(only, GOAL_NAMES)),
    cost: cost ? namesOf(only, COST_ROW_NAMES) : undefined,
    against: against === undefined ? undefined : checkoutAt(against),
    attacks,
    eventStore,
    bookings: Math.floor(atLeast(bookings, "bookings", 10_000)),
    store,
    profiles,
    markdown,
  };
}
