import { setTimeout } from "node:timers/promises";
import type { Logger } from "@travel-booking/runtime";
import { within } from "@travel-booking/runtime/real-time";
import { StartUpFault } from "./main/start-up-fault.ts";

/** Real time: how long a start waits for the servers it needs. */
const GIVE_UP_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 500;
/** A server that hangs counts as one that is away. */
const ANSWER_WITHIN_MS = 5_000;

/** A server a service needs. */
export interface NeededEngine {
  /** The setting with its address. */
  readonly variable: string;
  /** Rejects, or answers false, while it can't be used. */
  ping(): Promise<unknown>;
}

/**
 * Resolves when all servers answer: they may be starting, too.
 * @throws StartUpFault one does not, within half a minute; the line names its setting, and not the address, which may hold
 * a password.
 */
export async function waitForEngines(engines: readonly NeededEngine[], logger: Logger): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  await Promise.all(engines.map((engine) => waitFor(engine, giveUpAt, logger)));
}

async function waitFor({ variable, ping }: NeededEngine, giveUpAt: number, logger: Logger): Promise<void> {
  for (let told = false; ; told = true) {
    try {
      await withinTime(ping());
      return;
    } catch (cause) {
      if (performance.now() > giveUpAt) {
        throw new StartUpFault(`the server that ${variable} names does not answer: start it, or correct the address`, {
          cause,
        });
      }
      if (!told) logger.warn({ variable, err: cause }, "waiting for a server to answer");
    }
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Whether it answers now; for `/health/ready`. */
export async function answers({ ping }: Pick<NeededEngine, "ping">): Promise<boolean> {
  await withinTime(ping());
  return true;
}

async function withinTime(answer: Promise<unknown>): Promise<void> {
  const answered = await within(answer, ANSWER_WITHIN_MS, () => new Error("no answer in time"));
  if (answered === false) throw new Error("it can't be used yet");
}
