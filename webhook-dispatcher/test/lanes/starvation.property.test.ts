import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { FairLaneScheduler } from "../../src/lanes/lane-scheduler.ts";

const endpoint = fc.record({
  account: fc.nat(3),
  lanes: fc.integer({ min: 1, max: 8 }),
  mark: fc.constantFrom("quick", "failing", "slow"),
});
const next = () => new Promise((resolve) => setImmediate(resolve));

test("every lane is served, though new ones of quick endpoints never cease to come", async () => {
  const life = fc.record({
    slots: fc.integer({ min: 1, max: 24 }),
    endpoints: fc.array(endpoint, { minLength: 1, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(life, async ({ slots, endpoints }) => {
      const running: { readonly lane: string; readonly end: () => void }[] = [];
      const begun = new Set<string>();
      const fair: FairLaneScheduler = new FairLaneScheduler({
        slots,
        perEndpoint: 4,
        perImpairedEndpoint: 2,
        isSlow: (id) => endpoints[Number(id)]?.mark === "slow",
        work: (lane) => {
          begun.add(lane);
          const id = lane.slice(0, lane.indexOf("/"));
          fair.setCondition(id, { failing: endpoints[Number(id)]?.mark === "failing" });
          return new Promise((resolve) => running.push({ lane, end: () => resolve("done") }));
        },
        onFailure: () => undefined,
      });
      const owed: string[] = [];
      for (const [id, { account, lanes }] of endpoints.entries()) {
        for (let n = 0; n < lanes; n += 1) {
          owed.push(`${id}/${n}`);
          fair.enqueue(`${id}/${n}`, `acc_${account}`);
        }
      }
      const missing = () => owed.filter((lane) => !begun.has(lane));
      const mostTurns = 2 * owed.length * (endpoints.length + slots);
      for (let turn = 0; turn < mostTurns && missing().length > 0; turn += 1) {
        // The oldest ends first: whatever is under way ends.
        running.shift()?.end();
        for (const [id, { account, mark }] of endpoints.entries()) {
          if (mark === "quick") fair.enqueue(`${id}/new-${turn}`, `acc_${account}`);
        }
        await next();
      }
      expect(missing()).toStrictEqual([]);
    }),
    { numRuns: 60 },
  );
});
