import { setTimeout as pause } from "node:timers/promises";

/** Real milliseconds between two looks. */
const LOOK_EVERY_MS = 50;

/** Resolves when it holds; the test's own time limit is the limit. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(LOOK_EVERY_MS);
}
