import { describe, expect, test } from "@jest/globals";
import type { CostFigure, CostGoalName } from "../cost/goals.ts";
import { inTurn } from "../cost/in-turn.ts";
import { isDearer, ratioOf } from "../cost/ratios.ts";
import { oncePerRound } from "../cost/reference.ts";

const figure = (goal: CostGoalName, value: number): CostFigure => ({ goal, value, detail: "" });
const roundsOf = (goal: CostGoalName, pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([one, other]) => ({ one: [figure(goal, one)], other: [figure(goal, other)] }));

describe("two sides", () => {
  const recorded = (name: string, turns: string[]) => ({
    measure: async (round: number) => {
      turns.push(name);
      return `${name}${round}`;
    },
  });

  test("are measured in turn, each first in every second round", async () => {
    const turns: string[] = [];
    const rounds = await inTurn([recorded("this", turns), recorded("other", turns)], 3);
    expect(turns).toStrictEqual(["this", "other", "other", "this", "this", "other"]);
    expect(rounds).toStrictEqual([
      ["this1", "this2", "this3"],
      ["other1", "other2", "other3"],
    ]);
  });

  test("have one round of what is measured once", async () => {
    const turns: string[] = [];
    await inTurn(
      [recorded("this", turns), recorded("other", turns)].map((row) => ({ ...row, once: true })),
      3,
    );
    expect(turns).toStrictEqual(["this", "other"]);
  });

  test("have the same reference in a round", async () => {
    let measured = 0;
    const reference = oncePerRound(async () => ++measured);
    expect([await reference(1), await reference(1), await reference(2), await reference(2)]).toStrictEqual([
      1, 1, 2, 2,
    ]);
  });
});

describe("a ratio", () => {
  test("is that of each round", () => {
    const rounds = roundsOf("book", [
      [6, 4],
      [5, 4],
      [4, 4],
    ]);
    expect(ratioOf("book", rounds)).toStrictEqual({
      goal: "book",
      one: { minimum: 4, median: 5, maximum: 6 },
      other: { minimum: 4, median: 4, maximum: 4 },
      ratios: [1.5, 1.25, 1],
    });
  });

  test.each<[string, CostGoalName, boolean, number[]]>([
    ["more than 3 %, whose rounds agree", "book", true, [1.04, 1.05, 1.06]],
    ["3 % exactly", "book", false, [1.03]],
    ["as much as the middle half is apart", "book", false, [1, 1.125, 1.25, 1.375, 1.5]],
    ["more than that, with rounds far out", "book", true, [0.5, 1.125, 1.25, 1.25, 9]],
    ["less", "book", false, [0.9, 0.9]],
    ["more of what is better higher", "rebuild-rate", false, [1.2, 1.2]],
    ["less of what is better higher", "rebuild-rate", true, [0.95, 0.96]],
  ])("of %s: %s is dearer: %s", (_, goal, dearer, ratios) => {
    expect(isDearer({ goal, ratios })).toBe(dearer);
  });

  test("there is none of a difference that noise has eaten", () => {
    expect(() => ratioOf("tail", roundsOf("tail", [[1, -0.5]]))).toThrow(RangeError);
  });
});
