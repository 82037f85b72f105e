import { setTimeout as pause } from "node:timers/promises";

/** The time that waits and time-outs run on, whatever the service's clock says. */
export interface RealTime {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

export const realTime: RealTime = { now: () => performance.now(), pause };
