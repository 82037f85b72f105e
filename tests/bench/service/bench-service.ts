import { setTimeout as delay } from "node:timers/promises";
import type { OperatorClient } from "@travel-booking/operator-cli";

/** A service under test, however many processes it is. */
export interface BenchService {
  /** Of the public API, on 127.0.0.1. */
  readonly port: number;
  readonly operator: OperatorClient;
  /** Waits until every read model has folded in all there is: the next round starts with an idle service. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

interface ProjectionRow {
  readonly state: string;
  readonly lag: number;
}

const LOOK_AGAIN_MS = 50;

/** Resolves when no projection is behind. @throws Error one has stopped. */
export async function caughtUp(operator: OperatorClient): Promise<void> {
  for (;;) {
    const answer = await operator.request("GET", "/operator/projections");
    const { data } = answer as { readonly data: readonly ProjectionRow[] };
    const stopped = data.find(({ state }) => state === "stopped");
    if (stopped !== undefined) throw new Error(`a projection has stopped: ${JSON.stringify(stopped)}`);
    if (data.every(({ lag }) => lag === 0)) return;
    await delay(LOOK_AGAIN_MS);
  }
}
