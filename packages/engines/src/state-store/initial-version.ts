import { randomInt } from "node:crypto";

/** From when on milliseconds are counted: with the random part they stay exact numbers until 2095. */
const SINCE = Date.UTC(2026, 0, 1);
const RANDOM = 4_096;

/**
 * The version a record begins with. Were it always the same, whoever has read a record that is removed and made anew
 * meanwhile would write over the new one, or remove it, as if it were the one that was read.
 */
export function initialVersion(): number {
  return Math.max(0, Date.now() - SINCE) * RANDOM + randomInt(RANDOM) + 1;
}
