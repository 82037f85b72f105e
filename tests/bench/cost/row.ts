import type { CostFigure } from "./goals.ts";
import type { Side } from "./side.ts";

/** A row that is ready on one side: what it needs runs and is warm. */
export interface Row<Round = unknown> {
  /** One round is all there is. */
  readonly once?: true;
  /** Rounds count from 1. */
  measure(round: number): Promise<Round>;
  /** What some rounds come to: of most things the least. */
  figures(rounds: readonly Round[]): readonly CostFigure[];
}

/** How a row is made ready. */
export type CostRow = (side: Side) => Promise<Row>;

/** The least that a round took. */
export function least<Name extends string>(rounds: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return Math.min(...rounds.map((round) => round[name]));
}
