import { setTimeout } from "node:timers/promises";
import type { Logger } from "@travel-booking/runtime";
import { withTimeout } from "@travel-booking/runtime/real-time";
import { StartupError } from "./main/startup-error.ts";

/** Real time: how long a start waits for the servers it needs. Tests shorten it. */
const START_TIMEOUT_MS = Number(process.env.TEST_ENGINE_START_TIMEOUT_MS ?? 30_000);
const POLL_INTERVAL_MS = 500;
/** A server that hangs counts as one that is away. */
const PING_TIMEOUT_MS = 5_000;

/** A server a service needs. */
export interface RequiredEngine {
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
export async function waitForEngines(
  engines: readonly RequiredEngine[],
  logger: Logger,
  { timeoutMs = START_TIMEOUT_MS, pingTimeoutMs = PING_TIMEOUT_MS } = {},
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  await Promise.all(engines.map((engine) => waitFor(engine, { giveUpAt, pingTimeoutMs, logger })));
}

async function waitFor(
  { variable, ping }: RequiredEngine,
  { giveUpAt, pingTimeoutMs, logger }: { giveUpAt: number; pingTimeoutMs: number; logger: Logger },
): Promise<void> {
  for (let told = false; ; told = true) {
    try {
      await pingWithTimeout(ping(), pingTimeoutMs);
      return;
    } catch (cause) {
      if (performance.now() > giveUpAt) {
        throw new StartupError(`the server that ${variable} names does not answer: start it, or correct the address`, {
          cause,
        });
      }
      if (!told) logger.warn({ variable, err: cause }, "waiting for a server to answer");
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
}

/** Whether it answers now; for `/health/ready`. */
export async function isReachable({ ping }: Pick<RequiredEngine, "ping">): Promise<boolean> {
  await pingWithTimeout(ping(), PING_TIMEOUT_MS);
  return true;
}

async function pingWithTimeout(answer: Promise<unknown>, timeoutMs: number): Promise<void> {
  const answered = await withTimeout(answer, timeoutMs, () => new Error("no answer in time"));
  if (answered === false) throw new Error("it can't be used yet");
}
