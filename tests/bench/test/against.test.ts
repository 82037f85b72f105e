import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { Service as Standalone } from "../../support/service.ts";
import type { CostFigure, CostGoalName } from "../cost/goals.ts";
import { inTurn } from "../cost/in-turn.ts";
import type { MeasuredRow } from "../cost/measure-costs.ts";
import { isDearer, ratioOf } from "../cost/ratios.ts";
import { ratiosReport } from "../cost/ratios-report.ts";
import { oncePerRound } from "../cost/reference.ts";
import { InvalidOption, readOptions } from "../options.ts";

const figure = (goal: CostGoalName, value: number): CostFigure => ({ goal, value, detail: "" });
const roundsOf = (goal: CostGoalName, pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([one, other]) => ({ one: [figure(goal, one)], other: [figure(goal, other)] }));
const rowOf = (goal: CostGoalName, pairs: readonly (readonly [number, number])[]): MeasuredRow => {
  const row = {
    measure: async () => {},
    figures: (rounds: readonly unknown[]) => rounds.map((value) => figure(goal, Number(value))),
  };
  return { name: "book", sides: [0, 1].map((side) => ({ row, rounds: pairs.map((pair) => pair[side]) })) };
};

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

describe("the report", () => {
  test("has the ratios, what got dearer, and what was left out", () => {
    const rows: MeasuredRow[] = [
      rowOf("book", [
        [5.2, 5],
        [5.5, 5],
        [5.3, 5],
      ]),
      rowOf("get", [[1.5, 1.5]]),
      rowOf("tail", [[3, 0]]),
      { name: "pass", failure: "other: a boarding pass was answered with 404\nand more" },
    ];
    const lines = ratiosReport(rows).split("\n");
    const cells = lines.slice(2, 4).map((line) => line.split("|").map((cell) => cell.trim()));
    expect(cells).toStrictEqual([
      ["", "book", "×", "5.3", "5", "1.060", "1.05 to 1.08", "1.04 to 1.10", "YES", ""],
      ["", "GET booking", "×", "1.5", "1.5", "1.000", "1.00 to 1.00", "1.00 to 1.00", "no", ""],
    ]);
    expect(lines.slice(4)).toStrictEqual([
      "",
      "Dearer: book.",
      "Left out: p99 of a booking at half load − (c)'s: a round came to 0.00",
      "Left out: pass: other: a boarding pass was answered with 404",
    ]);
  });

  test("says that nothing got dearer", () => {
    expect(
      ratiosReport([rowOf("pay", [[5, 5]])])
        .split("\n")
        .at(-1),
    ).toBe("Nothing got dearer.");
  });
});

describe("another checkout", () => {
  const withFolder = async (work: (folder: string) => Promise<void> | void) => {
    const folder = mkdtempSync(join(tmpdir(), "bench-"));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const root = join(import.meta.dirname, "../../..");

  test("is an option beside costs, with more rounds", () => {
    const options = readOptions(["--cost", "--against", root, "--only", "get"]);
    expect(options).toMatchObject({ against: root, cost: ["get"], rounds: 8 });
  });

  test.each([
    [["--against", root]],
    [["--cost", "--against", root, "--store", "s"]],
    [["--cost", "--against", root, "--profiles", "p"]],
  ])("is refused where %j is asked for", (line) => {
    expect(() => readOptions(line)).toThrow("--against goes with --cost, without --store and --profiles");
  });

  test("has dependencies", () =>
    withFolder((folder) => {
      writeFileSync(join(folder, "package.json"), "{}");
      const refused = () => readOptions(["--cost", "--against", folder]);
      expect(refused).toThrow(InvalidOption);
      expect(refused).toThrow(`dependencies installed, not "${folder}"`);
    }));

  test("is started by its own script, with its own options", () =>
    withFolder(async (folder) => {
      const start = "node --no-deprecation start.cjs";
      writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { start } }));
      writeFileSync(join(folder, "start.cjs"), "console.log(process.execArgv.join(), __filename)");
      const { stdout } = await Standalone.spawn({ checkout: folder, dataDir: folder }).ended;
      expect(stdout).toBe(`--no-deprecation ${join(folder, "start.cjs")}\n`);
    }));
});
