import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { randomNumbers } from "../bench/data/random-numbers.ts";
import { machineInfo } from "../bench/report/machine-info.ts";
import { SoakAudit } from "./audit/audit.ts";
import type { Findings } from "./audit/findings.ts";
import { Kills } from "./kills.ts";
import { openShop, type Shop } from "./load/shoppers.ts";
import { Traffic } from "./load/traffic.ts";
import { lineOf, lookAt, type Minute, markdownOf } from "./observe/minutes.ts";
import type { Options, Profile } from "./options.ts";
import type { Target } from "./targets/target.ts";

const MINUTE_MS = 60_000;

/** Loads an installation, kills it in parts all the while, and audits what is left. Answers what does not add up. */
export async function soak(options: Options): Promise<Findings> {
  const { seed, profile, minutes, rate, killEvery, markdown } = options;
  const facts = [
    ...machineInfo(),
    `${profile}, ${minutes} minutes, ${rate} requests/s, a kill every ${killEvery} s, seed ${seed}`,
  ];
  console.log(facts.join("\n"));
  const target = await startTarget(profile);
  try {
    const kills = new Kills(target.victims, randomNumbers(seed), say);
    const traffic = new Traffic((from, until) => kills.disturbed(from, until));
    let endsAt = Number.POSITIVE_INFINITY;
    // From a quarter to a half of the time.
    const isDown = () => Math.floor(4 - ((endsAt - performance.now()) / MINUTE_MS / minutes) * 4) === 1;
    const shop = await openShop(target, traffic, options, isDown);
    const listeners = shop.shoppers.flatMap((shopper) => [...shopper.listeners.values()]);
    try {
      endsAt = performance.now() + minutes * MINUTE_MS;
      const table = await load(target, shop, { kills, traffic, endsAt, killEvery });
      for (const listener of listeners) listener.behave();
      const met = [...traffic.unexpected, ...traffic.failures.map((text) => `while nothing was killed: ${text}`)];
      for (const finding of met) say(`FOUND: ${finding}`);
      const findings = [...met, ...(await new SoakAudit(target, shop.sale, shop.shoppers, say).run())];
      sayWhatWasLogged(target);
      if (markdown !== undefined) {
        const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");
        writeFileSync(markdown, `${list(facts)}\n\n${markdownOf(table)}\n\n${list(findings)}\n`);
      }
      return findings;
    } finally {
      await Promise.all(listeners.map((listener) => listener.stop()));
    }
  } finally {
    await target.discard();
  }
}

interface Load {
  readonly kills: Kills;
  readonly traffic: Traffic;
  /** A moment of `performance.now()`. */
  readonly endsAt: number;
  readonly killEvery: number;
}

/** Customers shop and processes are killed; answers what was seen each minute. @throws Error something did not start again. */
async function load(
  target: Target,
  { shoppers }: Shop,
  { kills, traffic, endsAt, killEvery }: Load,
): Promise<Minute[]> {
  const startedAt = performance.now();
  const table: Minute[] = [];
  const end = new AbortController();
  const shopping = shoppers.map(({ customer }) => customer.shop(end.signal));
  const killing = kills.run(killEvery, end.signal);
  killing.catch(() => end.abort());
  while (!end.signal.aborted && performance.now() < endsAt) {
    const left = Math.min(MINUTE_MS, endsAt - performance.now());
    await pause(left, undefined, { signal: end.signal }).catch(() => undefined);
    await kills.everythingRuns();
    const passed = (performance.now() - startedAt) / MINUTE_MS;
    const minute = await lookAt(target, traffic, { minutes: passed, kills: kills.counts });
    table.push(minute);
    console.log(lineOf(minute));
  }
  end.abort();
  await killing;
  await Promise.all(shopping);
  return table;
}

/** Loads no other: servers have client libraries of their own. */
export async function startTarget(profile: Profile): Promise<Target> {
  if (profile === "embedded") return (await import("./targets/embedded.ts")).startEmbedded();
  return (await import("./targets/distributed.ts")).startDistributed();
}

export function say(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

/** Who misses what was killed logs that; anything else is worth a look. */
function sayWhatWasLogged({ stderr }: Target): void {
  const failures = stderr.split("\n").filter((line) => /"level":"(?:error|fatal)"/.test(line));
  const messages = failures.map((line) => {
    const { msg, err } = JSON.parse(line) as { readonly msg: string; readonly err?: { readonly message: string } };
    return err === undefined ? msg : `${msg}: ${err.message}`;
  });
  for (const [message, same] of Map.groupBy(messages, (text) => text)) say(`logged ${same.length} times: ${message}`);
}
