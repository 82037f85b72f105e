import type { RealTime } from "@travel-booking/runtime/real-time";

/**
 * Real time, the same on every machine. It passes where somebody waits, and jumps to the end of the wait whose turn it
 * is: a wait that has its turn later than it might have lasts longer than it was meant to, as on a busy machine.
 */
export class SimulatedTime {
  #now = 0;

  get now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** As a process sees it that goes on turn by turn. */
  realTimeFor(turn: (label: string) => Promise<void>): RealTime {
    return {
      now: () => this.#now,
      pause: async (milliseconds, signal) => {
        if (signal?.aborted) return;
        const until = this.#now + milliseconds;
        await (signal === undefined ? turn("pause") : Promise.race([turn("pause"), aborted(signal)]));
        if (!signal?.aborted) this.#now = Math.max(this.#now, until);
      },
    };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
