import { expect, test } from "@jest/globals";
import { ConcurrencyLimiter, PrinterBusy } from "../src/concurrency-limiter.ts";

test("so many at once, the others in the order they came, and no more than may wait", async () => {
  const turns = new ConcurrencyLimiter(2, 2);
  const begun: number[] = [];
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = works.map(({ promise }, index) =>
    turns.run(() => {
      begun.push(index);
      return promise;
    }),
  );
  await expect(turns.run(async () => undefined)).rejects.toThrow(PrinterBusy);
  expect(begun).toStrictEqual([0, 1]);
  works[1]?.resolve();
  await all[1];
  works[0]?.reject(new Error("failed"));
  await expect(all[0]).rejects.toThrow("failed");
  expect(begun).toStrictEqual([0, 1, 2, 3]);
  works[2]?.resolve();
  works[3]?.resolve();
  await Promise.all([all[2], all[3]]);
  expect(await turns.run(async () => "free again")).toBe("free again");
});
