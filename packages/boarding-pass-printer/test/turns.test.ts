import { expect, test } from "@jest/globals";
import { PrinterBusy } from "../src/browser/problems.ts";
import { Turns } from "../src/browser/turns.ts";

test("so many at once, the others in the order they came, and no more than may wait", async () => {
  const turns = new Turns(2, 2);
  const begun: number[] = [];
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = works.map(({ promise }, index) =>
    turns.take(() => {
      begun.push(index);
      return promise;
    }),
  );
  await expect(turns.take(async () => undefined)).rejects.toThrow(PrinterBusy);
  expect(begun).toStrictEqual([0, 1]);
  works[1]?.resolve();
  await all[1];
  works[0]?.reject(new Error("failed"));
  await expect(all[0]).rejects.toThrow("failed");
  expect(begun).toStrictEqual([0, 1, 2, 3]);
  works[2]?.resolve();
  works[3]?.resolve();
  await Promise.all([all[2], all[3]]);
  expect(await turns.take(async () => "free again")).toBe("free again");
});
