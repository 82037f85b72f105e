import type { Tried } from "../engines/ways/try-ways.ts";
import type { Skipped } from "./skipped.ts";

/** What an engine is in this run, one line each; what was there and did not work is told with it. */
export function engineLine({ engine, way, missing, failed }: Tried): string {
  if (way === undefined) return `engine ${missing?.replace(": ", ": none — ")}`;
  return [`engine ${engine}: ${way}`, ...failed.map(({ way, reason }) => `${way} failed: ${reason}`)].join("; ");
}

/** The second run of the end-to-end suite, where its engines are missing. */
export function skippedProfile(missing: string | undefined): readonly Skipped[] {
  return missing === undefined ? [] : [{ suite: "tests/end-to-end on the distributed profile", reason: missing }];
}
