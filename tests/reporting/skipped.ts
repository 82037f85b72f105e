import path from "node:path";
import { skippedByTitle } from "../engines/title-of-skipped.ts";
import { ROOT } from "./run-program.ts";

/** What Jest reports of a file, as far as it is needed here. */
export interface JestFile {
  /** Its path. */
  readonly name: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
  }[];
}

/** A suite, or several of one title, of which cases did not run. */
export interface Skipped {
  readonly suite: string;
  readonly reason: string;
  /** Undefined: not counted, since they were not even looked at. */
  readonly cases?: number;
}

const RAN = ["passed", "failed"];
const BY_HAND = "not selected, or switched off in its source";

/** Everything that did not run, by suite and reason, in the order of the report. */
export function skippedOf(files: readonly JestFile[]): readonly Skipped[] {
  const found = new Map<string, Skipped & { readonly cases: number }>();
  for (const { name, assertionResults } of files) {
    for (const { status, ancestorTitles } of assertionResults) {
      if (RAN.includes(status)) continue;
      const { suite, reason } = whyOf(name, ancestorTitles);
      const key = JSON.stringify([suite, reason]);
      found.set(key, { suite, reason, cases: (found.get(key)?.cases ?? 0) + 1 });
    }
  }
  return [...found.values()];
}

function whyOf(file: string, ancestorTitles: readonly string[]): { suite: string; reason: string } {
  for (const [depth, titled] of ancestorTitles.entries()) {
    const skipped = skippedByTitle(titled);
    if (skipped === undefined) continue;
    return { suite: [...ancestorTitles.slice(0, depth), skipped.title].join(" › "), reason: skipped.reason };
  }
  return { suite: path.relative(ROOT, file), reason: BY_HAND };
}

/** For people, one line each. */
export function skippedLine({ suite, reason, cases }: Skipped): string {
  const counted = cases === undefined ? "" : ` (${cases} ${cases === 1 ? "case" : "cases"})`;
  return `skipped: ${suite}${counted} — ${reason}`;
}
