import type { EngineSelection } from "../engines/providers/select-provider.ts";
import type { Skipped } from "./skipped.ts";

/** What an engine is in this run, one line each; what was there and did not work is told with it. */
export function engineLine({ engine, provider, missingReason, failed }: EngineSelection): string {
  if (provider === undefined) return `engine ${missingReason?.replace(": ", ": none — ")}`;
  return [`engine ${engine}: ${provider}`, ...failed.map(({ way, reason }) => `${way} failed: ${reason}`)].join("; ");
}

/** The second run of the end-to-end suite, where its engines are missing. */
export function skippedProfile(missing: string | undefined): readonly Skipped[] {
  return missing === undefined ? [] : [{ suite: "tests/end-to-end on the distributed profile", reason: missing }];
}
