import { firstLine } from "./first-line.ts";
import type { Starter } from "./starter.ts";
import { recordFailure } from "./ways-that-failed.ts";

/** How an engine will be had in the run that follows. */
export interface Tried {
  readonly engine: string;
  /** Undefined: it will not be had. */
  readonly way: string | undefined;
  /** Why it will not be had. */
  readonly missing: string | undefined;
  /** Ways that are there, and do not work. */
  readonly failed: readonly { readonly way: string; readonly reason: string }[];
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Starts an engine once, in the first way that works; ways that do not are passed over from here on. */
export async function tryWays<Engine extends Stoppable, Options extends object>(
  starter: Starter<Engine, Options>,
): Promise<Tried> {
  const { engine, ways } = starter;
  const options = {} as Options;
  const failed: { way: string; reason: string }[] = [];
  for (const way of ways) {
    if (way.missing(options) !== undefined) continue;
    try {
      await way.prepare?.();
      await (await way.start(options)).stop();
      return { engine, way: way.name, missing: undefined, failed };
    } catch (failure) {
      const reason = firstLine(failure);
      recordFailure(engine, way.name, reason);
      failed.push({ way: way.name, reason });
    }
  }
  return { engine, way: undefined, missing: starter.missing(), failed };
}
