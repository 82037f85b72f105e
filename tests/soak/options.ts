import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

export const PROFILES = ["embedded", "distributed"] as const;
export type Profile = (typeof PROFILES)[number];

export interface Options {
  readonly profile: Profile;
  /** Of load; what is found out afterwards takes its own time. */
  readonly minutes: number;
  /** Seconds from one kill to the next, more or less by a quarter; 0: none. */
  readonly killEvery: number;
  /** Requests a second, of all customers together. */
  readonly rate: number;
  /** Decides what customers do and what is killed. */
  readonly seed: number;
  /** Where the table goes as Markdown besides. */
  readonly markdown: string | undefined;
  /** On a flight that is cancelled, in place of customers who shop; undefined: they shop. */
  readonly bookings: number | undefined;
}

export const USAGE =
  "usage: npm run soak -- --profile embedded|distributed --minutes N [--kill-every SECONDS] [--rate N] [--seed N] [--markdown FILE]\n       npm run soak -- --disruption [--bookings N] [--profile embedded|distributed] [--kill-every SECONDS] [--seed N]";

export class InvalidOption extends Error {}

function numberFrom(smallest: number, text: string, name: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= smallest) return value;
  throw new InvalidOption(`--${name} takes a number from ${smallest} up, not ${JSON.stringify(text)}`);
}

function parse(line: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    ...{ profile: text, minutes: text, "kill-every": text, rate: text, seed: text, markdown: text, bookings: text },
    disruption: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args: [...line], options, strict: true }).values;
  } catch (error) {
    throw new InvalidOption((error as Error).message);
  }
}

/** @throws InvalidOption */
export function readOptions(line: readonly string[]): Options {
  const given = parse(line);
  const { disruption = false } = given;
  if (!disruption && given.bookings !== undefined) throw new InvalidOption("--bookings goes with --disruption");
  const profile = PROFILES.find((name) => name === (given.profile ?? (disruption ? "embedded" : undefined)));
  if (profile === undefined) throw new InvalidOption(`--profile takes ${PROFILES.join(" or ")}`);
  return {
    profile,
    minutes: disruption ? 0 : numberFrom(0.1, given.minutes ?? "", "minutes"),
    killEvery: numberFrom(0, given["kill-every"] ?? (disruption ? "5" : "180"), "kill-every"),
    rate: numberFrom(0.1, given.rate ?? "60", "rate"),
    seed: numberFrom(0, given.seed ?? String(randomInt(2 ** 31)), "seed"),
    markdown: given.markdown,
    bookings: disruption ? numberFrom(1, given.bookings ?? "5000", "bookings") : undefined,
  };
}
