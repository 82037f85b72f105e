import { setTimeout as sleep } from "node:timers/promises";

/** The time that leases, waits and time-outs run on, whatever the service's clock says. */
export interface RealTime {
  /** Milliseconds since some moment of this machine's own; never goes back. */
  now(): number;
  /** Resolves after so many milliseconds, or when the signal aborts. Never rejects. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<unknown>;
}

export const realTime: RealTime = {
  now: () => performance.now(),
  pause: (milliseconds, signal) =>
    sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};
