import { describe, expect, test } from "@jest/globals";
import { InvalidOption, readOptions } from "../options.ts";
import { summarise } from "../report/measurement.ts";
import { markdownTable } from "../report/table.ts";

const rounds = [
  { measured: 90, reference: 100 },
  { measured: 160, reference: 200 },
  { measured: 250, reference: 250 },
];

describe("a goal", () => {
  test("is met by the median of the ratios of the rounds", () => {
    const { compared, met } = summarise({ goal: "P2", subject: "book", unit: "requests/s", rounds });
    expect(compared).toStrictEqual({ minimum: 0.8, median: 0.9, maximum: 1 });
    expect(met).toBe(true);
    expect(summarise({ goal: "P2", subject: "", unit: "", rounds: rounds.slice(0, 2) }).met).toBe(false);
  });

  test("is a row of the table", () => {
    const row = markdownTable([{ goal: "P2", subject: "book", unit: "requests/s", rounds }]).split("\n")[2];
    expect(row).toBe(
      "| P2 | all clients on one flight ÷ spread over many: book | 0.80 | 0.90 | 1.00 | ≥ 0.9 | yes | 160 (90.00 to 250) | 200 (100 to 250) | requests/s |",
    );
  });
});

describe("options", () => {
  test("choose rows of costs", () => {
    expect(readOptions(["--cost", "--only", "pay,book", "--bookings", "20000", "--profiles", "p"])).toMatchObject({
      cost: ["pay", "book"],
      bookings: 20_000,
      profiles: "p",
    });
    expect(readOptions(["--cost"]).cost).toContain("list");
  });

  test.each([
    ["--only", "P8"],
    ["--rounds", "0"],
    ["--seconds", "x"],
    ["--speed", "9"],
  ])("%s %s is refused", (...line) => {
    expect(() => readOptions(line)).toThrow(InvalidOption);
  });
});
