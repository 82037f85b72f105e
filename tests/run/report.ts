import path from "node:path";
import type { EngineSelection } from "../engines/providers/select-provider.ts";
import { skippedByTitle } from "../engines/title-of-skipped.ts";
import { type JestFile, ROOT } from "./jest.ts";

const RAN = ["passed", "failed"];
const BY_HAND = "not selected, or switched off in its source";

/** Which server an engine is in this run, and which ones were found and did not start. */
export function engineLine({ engine, provider, missingReason, failed }: EngineSelection): string {
  if (provider === undefined) return `engine ${missingReason?.replace(": ", ": none — ")}`;
  return [`engine ${engine}: ${provider}`, ...failed.map(({ way, reason }) => `${way} failed: ${reason}`)].join("; ");
}

/** One line for each suite and reason with cases that did not run, in the order of the report. */
export function skippedLines(files: readonly JestFile[]): readonly string[] {
  const cases = new Map<string, number>();
  for (const { name, assertionResults } of files) {
    for (const { status, ancestorTitles } of assertionResults) {
      if (RAN.includes(status)) continue;
      const { suite, reason } = whyOf(name, ancestorTitles);
      const key = JSON.stringify([suite, reason]);
      cases.set(key, (cases.get(key) ?? 0) + 1);
    }
  }
  return [...cases].map(([key, count]) => {
    const [suite, reason] = JSON.parse(key);
    return `skipped: ${suite} (${count} ${count === 1 ? "case" : "cases"}) — ${reason}`;
  });
}

function whyOf(file: string, ancestorTitles: readonly string[]): { suite: string; reason: string } {
  for (const [depth, titled] of ancestorTitles.entries()) {
    const skipped = skippedByTitle(titled);
    if (skipped === undefined) continue;
    return { suite: [...ancestorTitles.slice(0, depth), skipped.title].join(" › "), reason: skipped.reason };
  }
  return { suite: path.relative(ROOT, file), reason: BY_HAND };
}

/** The files that took longest, one line each, the longest first. */
export function slowestLines(files: readonly JestFile[], count = 10): readonly string[] {
  return files
    .map(({ name, startTime, endTime }) => ({
      file: path.relative(ROOT, name),
      seconds: (endTime - startTime) / 1_000,
    }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
}
