import type { Row } from "./row.ts";

/**
 * This code, the other, the other, this code …: what slows the machine for a while slows both. Answers the rounds of
 * each. One row alone is measured as often.
 */
export async function inTurn(
  rows: readonly Pick<Row, "once" | "measure">[],
  rounds: number,
): Promise<readonly (readonly unknown[])[]> {
  const measured = rows.map((row) => ({ row, rounds: [] as unknown[] }));
  const count = rows.some(({ once }) => once) ? 1 : rounds;
  for (let round = 1; round <= count; round += 1) {
    for (const side of round % 2 === 1 ? measured : measured.toReversed()) {
      side.rounds.push(await side.row.measure(round));
    }
  }
  return measured.map((side) => side.rounds);
}
