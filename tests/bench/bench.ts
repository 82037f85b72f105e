import type { Options } from "./options.ts";
import type { Round } from "./report/measurement.ts";

/** What a part of the bench works with. */
export interface Bench {
  readonly options: Options;
  /** A new empty folder; gone when the bench ends. */
  folder(): string;
  /** Says on standard error what is going on. */
  say(text: string): void;
  /** Runs when the bench ends, however it ends; the latest first. */
  atEnd(cleanUp: () => Promise<void> | void): void;
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
