import { expect, test } from "@jest/globals";
import { costTable } from "../cost/table.ts";

test("a figure stands beside what was found at first and its goals", () => {
  const figures = [
    { goal: "get", value: 0.8, detail: "32 µs ÷ 40 µs" },
    { goal: "bytes-log", value: 1_234.5, detail: "" },
    { goal: "book", value: 9, detail: "" },
  ] as const;
  const cells = costTable(figures)
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells).toStrictEqual([
    ["", "GET booking", "×", "0.8", "1.3", "0.85", "≤ 0.75", "the first", "32 µs ÷ 40 µs", ""],
    ["", "log per booking and payment", "B", "1,235", "1,100", "-", "≤ 1,300", "yes", "", ""],
    ["", "book", "×", "9", "5.8", "4", "≤ 2.8", "NO", "", ""],
  ]);
});
