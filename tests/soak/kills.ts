import { setTimeout as pause } from "node:timers/promises";
import type { Victim } from "./targets/target.ts";

const LONGEST_AWAY_MS = 5_000;
/** Leases of who was killed run out in five seconds; read models catch up. */
const RECOVERY_MS = 15_000;

/** Moments of `performance.now()`. */
interface Disturbance {
  readonly from: number;
  until: number;
}

/** Kills one process after the other with SIGKILL, and starts each again after some seconds. */
export class Kills {
  readonly #victims: readonly Victim[];
  readonly #random: () => number;
  readonly #say: (text: string) => void;
  readonly #disturbances: Disturbance[] = [];
  /** So far, by name. */
  readonly counts = new Map<string, number>();
  #killing: Promise<void> = Promise.resolve();

  constructor(victims: readonly Victim[], random: () => number, say: (text: string) => void) {
    this.#victims = victims;
    this.#random = random;
    this.#say = say;
  }

  /** Whether anything was away, or just back, between these moments. */
  disturbed(from: number, until: number): boolean {
    return this.#disturbances.some((disturbance) => disturbance.from <= until && from <= disturbance.until);
  }

  /** Until aborted; what was killed is started again before it resolves. @throws Error something did not start again. */
  async run(everySeconds: number, signal: AbortSignal): Promise<void> {
    while (everySeconds > 0 && (await passes(everySeconds * 1_000 * (0.75 + this.#random() / 2), signal))) {
      this.#killing = this.#killOne();
      await this.#killing;
    }
  }

  /** Resolves when nothing is away. */
  everythingRuns(): Promise<void> {
    return this.#killing;
  }

  async #killOne(): Promise<void> {
    const victim = this.#victims[Math.floor(this.#random() * this.#victims.length)];
    if (victim === undefined) return;
    const disturbance = { from: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#disturbances.push(disturbance);
    await victim.kill();
    await pause(1_000 + this.#random() * (LONGEST_AWAY_MS - 1_000));
    await victim.restart();
    const seconds = (performance.now() - disturbance.from) / 1_000;
    this.counts.set(victim.name, (this.counts.get(victim.name) ?? 0) + 1);
    this.#say(`killed ${victim.name}: ready again after ${seconds.toFixed(1)} s`);
    disturbance.until = performance.now() + RECOVERY_MS;
  }
}

async function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
