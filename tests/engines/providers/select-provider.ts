import type { EngineStarter } from "./engine-starter.ts";
import { recordFailure } from "./failed-providers.ts";
import { firstLine } from "./first-line.ts";

/** How an engine will be had in the run that follows. */
export interface EngineSelection {
  readonly engine: string;
  /** Undefined: it will not be had. */
  readonly provider: string | undefined;
  /** Why it will not be had. */
  readonly missingReason: string | undefined;
  /** Ways that are there, and do not work. */
  readonly failed: readonly { readonly way: string; readonly reason: string }[];
}

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Starts an engine once, in the first way that works; ways that do not are passed over from here on, but for one that is
 * expected to work: then its tests fail.
 */
export async function selectProvider<Engine extends Stoppable, Options extends object>(
  starter: EngineStarter<Engine, Options>,
): Promise<EngineSelection> {
  const { engine, providers } = starter;
  const options = {} as Options;
  const failed: { way: string; reason: string }[] = [];
  for (const way of providers) {
    if (way.missingReason(options) !== undefined) continue;
    try {
      await way.prepare?.();
      await (await way.start(options)).stop();
      return { engine, provider: way.name, missingReason: undefined, failed };
    } catch (failure) {
      const reason = firstLine(failure);
      failed.push({ way: way.name, reason });
      if (way.isExpected) return { engine, provider: way.name, missingReason: undefined, failed };
      recordFailure(engine, way.name, reason);
    }
  }
  return { engine, provider: undefined, missingReason: starter.missingReason(), failed };
}
