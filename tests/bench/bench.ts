import type { Options } from "./options.ts";
import type { Round } from "./report/measurement.ts";

/** What a part of the bench works with. */
export interface Bench {
  readonly options: Options;
  /** A new empty folder; gone when the bench ends. */
  folder(): string;
  /** Says on standard error what is going on. */
  say(text: string): void;
  /** Runs when the bench, or the part of it that this was given to, ends, however it ends; the latest first. */
  atEnd(cleanUp: () => Promise<void> | void): void;
}

/** What was measured is printed all the same. */
export function reportFailure(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}

/** Does the work, and cleans up after it. */
export async function withCleanUps<Result>(work: (atEnd: Bench["atEnd"]) => Promise<Result>): Promise<Result> {
  const cleanUps: (() => Promise<void> | void)[] = [];
  try {
    return await work((cleanUp) => void cleanUps.unshift(cleanUp));
  } finally {
    for (const cleanUp of cleanUps) await Promise.resolve().then(cleanUp).catch(reportFailure);
  }
}

/** Reference, service, reference, service …: what slows the machine for a while slows both. */
export async function interleave(
  { options, say }: Bench,
  what: string,
  sides: { readonly reference: () => Promise<number>; readonly measured: () => Promise<number> },
): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    const reference = await sides.reference();
    const measured = await sides.measured();
    say(
      `${what}, round ${round}: ${measured.toFixed(2)} ÷ ${reference.toFixed(2)} = ${(measured / reference).toFixed(2)}`,
    );
    rounds.push({ measured, reference });
  }
  return rounds;
}
