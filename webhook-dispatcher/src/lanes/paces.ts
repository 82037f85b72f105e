import { PACE_TOLERANCE, reserveAttempts } from "@travel-booking/domain";
import { LRUCache } from "lru-cache";
import type { DispatcherContext } from "../dispatcher-options.ts";

const SPACE = "webhook-paces";
/** Far longer than a reservation counts. */
const RETENTION_MS = 60 * 60_000;
/** Of more endpoints, what was reserved longest ago is lost. */
const MAX_REMEMBERED = 10_000;

/** Keeps the attempts of all processes together to the pace of their endpoint, in real time. */
export class Paces {
  readonly #options: Pick<DispatcherContext, "state" | "clock">;
  /** What this process has reserved and not used, by endpoint. */
  readonly #reserved = new LRUCache<string, { left: number; readonly until: number }>({ max: MAX_REMEMBERED });

  constructor(options: Pick<DispatcherContext, "state" | "clock">) {
    this.#options = options;
  }

  /** 0: an attempt may begin, and is counted. Else the milliseconds after which one may. */
  async take(endpointId: string, maxPerSecond: number): Promise<number> {
    const { state, clock } = this.#options;
    for (;;) {
      const now = Date.now();
      const reserved = this.#reserved.get(endpointId);
      if (reserved !== undefined && reserved.left > 0 && now < reserved.until) {
        reserved.left -= 1;
        return 0;
      }
      const record = await state.get<number>(SPACE, endpointId);
      const next = reserveAttempts(record?.value ?? 0, maxPerSecond, now);
      if ("waitMs" in next) return next.waitMs;
      const options = { expiresAt: clock.now() + RETENTION_MS };
      const isOurs =
        record === undefined
          ? (await state.create(SPACE, endpointId, next.expectedAt, options)).created
          : (await state.replace(SPACE, endpointId, record.version, next.expectedAt, options)) !== undefined;
      if (!isOurs) continue;
      this.#reserved.set(endpointId, { left: next.attempts - 1, until: now + PACE_TOLERANCE });
      return 0;
    }
  }
}
