import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { AccountQuota, type Grant } from "../../src/quotas/account-quota.ts";

/** What accounts have, as read models that lag know it. */
class LaggingCount {
  readonly #has = new Map<string, number>();
  readonly #shown = new Map<string, number>();
  looks = 0;
  waits = 0;

  has(accountId = "acc_1"): number {
    return this.#has.get(accountId) ?? 0;
  }

  add(amount: number, accountId = "acc_1"): void {
    this.#has.set(accountId, this.has(accountId) + amount);
  }

  catchUp(): void {
    for (const [accountId, amount] of this.#has) this.#shown.set(accountId, amount);
  }

  /** `turn` is waited for before and after everything that is asked. */
  quota(most: number, { soleWriter = true, turn = async () => {} } = {}): AccountQuota {
    return new AccountQuota({
      name: "things",
      most,
      soleWriter,
      count: async (accountId) => {
        await turn();
        this.looks += 1;
        const shown = this.#shown.get(accountId) ?? 0;
        await turn();
        return shown;
      },
      caughtUp: async () => {
        await turn();
        this.waits += 1;
        this.catchUp();
        await turn();
      },
    });
  }
}

/** Takes one after the other, as far as it goes. */
async function takeAll(quota: AccountQuota, count: LaggingCount, times: number): Promise<number> {
  let taken = 0;
  for (let n = 0; n < times; n += 1) {
    const grant = await quota.take("acc_1");
    if (grant === undefined) continue;
    count.add(1);
    grant.end(1);
    taken += 1;
  }
  return taken;
}

describe.each([true, false])("one thing after the other, sole writer: %s", (soleWriter) => {
  test.each([1, 2, 3, 4, 5, 8, 100])(
    "of %i exactly as many are granted, though nothing is shown unless waited for",
    async (most) => {
      const count = new LaggingCount();
      const quota = count.quota(most, { soleWriter });
      expect(await takeAll(quota, count, most + 3)).toBe(most);
      expect(await quota.take("acc_2")).toBeDefined();
    },
  );

  test("what is given back can be taken again, and what was not used", async () => {
    const count = new LaggingCount();
    const quota = count.quota(3, { soleWriter });
    expect(await takeAll(quota, count, 5)).toBe(3);
    count.add(-2);
    expect(await takeAll(quota, count, 5)).toBe(2);
    count.add(-1);
    for (let n = 0; n < 10; n += 1) {
      const grant = await quota.take("acc_1");
      expect(grant).toBeDefined();
      grant?.end(0);
      grant?.end(1);
    }
    expect(await takeAll(quota, count, 5)).toBe(1);
  });
});

test("far from the bound nobody is asked: the read models are looked at once per allowance", async () => {
  const count = new LaggingCount();
  const quota = count.quota(100);
  for (let n = 0; n < 1_000; n += 1) {
    const grant = await quota.take("acc_1");
    expect(grant).toBeDefined();
    grant?.end(1);
  }
  // Each is given back at once: 25 without waiting, then 100 each time.
  expect([count.looks, count.waits]).toStrictEqual([21, 10]);
});

test("a quota of 0 has no bound and asks nobody", async () => {
  const count = new LaggingCount();
  const quota = count.quota(0);
  const grant = await quota.take("acc_1", 1_000_000);
  expect(await grant?.extend(1_000_000)).toBe(true);
  grant?.end(0);
  expect(count.looks).toBe(0);
});

test("a bound that was lowered below what an account has refuses, and others go on", async () => {
  const count = new LaggingCount();
  count.add(50);
  count.catchUp();
  const quota = count.quota(10);
  expect(await quota.take("acc_1")).toBeUndefined();
  expect(await quota.take("acc_2")).toBeDefined();
});

test("amounts that grow while they come: what does not fit is not taken, what was not used is free again", async () => {
  const count = new LaggingCount();
  const quota = count.quota(1_000);
  const first = await quota.take("acc_1", 400);
  const second = await quota.take("acc_1", 0);
  expect(await second?.extend(500)).toBe(true);
  expect(await second?.extend(101)).toBe(false);
  expect(await second?.extend(100)).toBe(true);
  expect(await quota.take("acc_1", 1)).toBeUndefined();
  first?.end(0);
  second?.end(550);
  count.add(550);
  expect(await quota.take("acc_1", 451)).toBeUndefined();
  expect(await quota.take("acc_1", 450)).toBeDefined();
});

test.each([true, false])("all that fit are granted at once, sole writer: %s", async (soleWriter) => {
  const count = new LaggingCount();
  const quota = count.quota(100, { soleWriter });
  const grants = await Promise.all(Array.from({ length: 120 }, () => quota.take("acc_1")));
  expect(grants.filter((grant) => grant !== undefined)).toHaveLength(100);
});

describe("many things at once, in any order", () => {
  test("nothing is refused that fits, while what was granted becomes visible", async () => {
    const clients = fc.array(fc.array(fc.constantFrom("take", "show"), { maxLength: 8 }), {
      minLength: 2,
      maxLength: 6,
    });
    const input = [fc.integer({ min: 1, max: 12 }), clients, fc.boolean(), fc.scheduler()] as const;
    await fc.assert(
      fc.asyncProperty(...input, async (most, scripts, soleWriter, scheduler) => {
        const count = new LaggingCount();
        const turn = () => scheduler.schedule(Promise.resolve());
        const quota = count.quota(most, { soleWriter, turn });
        const client = async (steps: readonly string[]) => {
          for (const step of steps) {
            const grant = step === "take" ? await quota.take("acc_1") : count.catchUp();
            if (!grant) continue;
            await turn();
            count.add(1);
            await turn();
            grant.end(1);
          }
        };
        await scheduler.waitFor(Promise.all(scripts.map(client)));
        const wanted = scripts.flat().filter((step) => step === "take").length;
        expect(count.has()).toBe(Math.min(most, wanted));
      }),
      { numRuns: 300 },
    );
  });

  const script = fc.record({
    most: fc.integer({ min: 1, max: 12 }),
    clients: fc.array(fc.array(fc.constantFrom("take", "fail", "give back", "show"), { maxLength: 8 }), {
      minLength: 2,
      maxLength: 6,
    }),
    processes: fc.integer({ min: 1, max: 3 }),
  });

  test("one process never exceeds it; several by less than they have under way at once", async () => {
    const seen = { refused: 0, exceeded: 0 };
    await fc.assert(
      fc.asyncProperty(script, fc.scheduler(), async ({ most, clients, processes }, scheduler) => {
        const count = new LaggingCount();
        const turn = () => scheduler.schedule(Promise.resolve());
        const quotas = Array.from({ length: processes }, () =>
          count.quota(most, { soleWriter: processes === 1, turn }),
        );
        const client = async (steps: readonly string[], number: number) => {
          const quota = quotas[number % processes] as AccountQuota;
          for (const step of steps) {
            if (step === "show") count.catchUp();
            if (step === "give back" && count.has() > 0) count.add(-1);
            if (step !== "take" && step !== "fail") continue;
            const grant: Grant | undefined = await quota.take("acc_1");
            if (grant === undefined) seen.refused += 1;
            else {
              await turn();
              if (step === "take") count.add(1);
              await turn();
              grant.end(step === "take" ? 1 : 0);
            }
            if (count.has() > most) seen.exceeded += 1;
            expect(count.has()).toBeLessThanOrEqual(processes === 1 ? most : most + clients.length);
          }
        };
        const all = Promise.all(clients.map(client));
        await scheduler.waitFor(all);
        await Promise.all(quotas.map(async (quota) => expect(await settled(quota, most, count, scheduler)).toBe(true)));
      }),
      { numRuns: 150 },
    );
    expect(seen.refused).toBeGreaterThan(50);
  });
});

/** Once nothing is under way, exactly what is left can be taken. */
async function settled(
  quota: AccountQuota,
  most: number,
  count: LaggingCount,
  scheduler: fc.Scheduler,
): Promise<boolean> {
  const left = Math.max(0, most - count.has());
  const fits = left === 0 ? undefined : await scheduler.waitFor(quota.take("acc_1", left));
  fits?.end(0);
  const tooMuch = await scheduler.waitFor(quota.take("acc_1", left + 1));
  return (left === 0 || fits !== undefined) && tooMuch === undefined;
}
