import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type SlotAllocation, SlotAllocator } from "../../src/lanes/slots.ts";

const OPTIONS = { slots: 1_024, perEndpoint: 32, perImpairedEndpoint: 4 };

/** Endpoints that take whatever they may have. */
class Taking {
  readonly shares = new SlotAllocator(OPTIONS);
  readonly taken = new Map<string, SlotAllocation>();

  /** Answers whether it might. */
  begin(accountId: string, endpointId: string): boolean {
    const share = this.#of(accountId, endpointId);
    const may = this.shares.canAcquire(share);
    if (may) this.taken.set(endpointId, this.shares.acquire(share));
    return may;
  }

  end(endpointId: string): void {
    const share = this.taken.get(endpointId);
    if (share !== undefined && share.running > 0) this.taken.set(endpointId, this.shares.release(share));
  }

  mark(accountId: string, endpointId: string, impaired: boolean): void {
    this.taken.set(endpointId, this.shares.setImpaired(this.#of(accountId, endpointId), impaired));
  }

  /** Has an endpoint begin as often as it may. */
  fill(accountId: string, endpointId: string): number {
    let count = 0;
    while (this.begin(accountId, endpointId)) count += 1;
    return count;
  }

  running(holds: (share: SlotAllocation) => boolean = () => true): number {
    return [...this.taken.values()].filter(holds).reduce((sum, { running }) => sum + running, 0);
  }

  #of(accountId: string, endpointId: string): SlotAllocation {
    return this.taken.get(endpointId) ?? this.shares.newAllocation(accountId, false);
  }
}

const ACCOUNTS = 40;
const step = fc.record({
  what: fc.constantFrom("begin", "fill", "fill all", "end", "slow", "quick"),
  account: fc.nat(ACCOUNTS - 1),
  endpoint: fc.nat(99),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function take(taking: Taking, { what, account, endpoint }: Step): void {
  const accountId = `acc_${account}`;
  const endpointId = `${accountId}_${endpoint}`;
  if (what === "begin") taking.begin(accountId, endpointId);
  else if (what === "fill") taking.fill(accountId, endpointId);
  else if (what === "fill all") for (let n = 0; n < 100; n += 1) taking.fill(accountId, `${accountId}_${n}`);
  else if (what === "end") taking.end(endpointId);
  else taking.mark(accountId, endpointId, what === "slow");
}

describe("whatever forty accounts with a hundred endpoints each do", () => {
  const whatever = (holds: (taking: Taking, last: Step) => void) =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const taking = new Taking();
        for (const next of steps) {
          take(taking, next);
          holds(taking, next);
        }
      }),
      { numRuns: 100 },
    );

  test("a quick endpoint of another account has room at once, and for several", () => {
    whatever((taking) => {
      const { length } = Array.from({ length: 3 }, (_, n) => taking.begin("acc_good", `good_${n}`)).filter(Boolean);
      for (let n = 0; n < 3; n += 1) taking.end(`good_${n}`);
      expect(length).toBe(3);
    });
  });

  test("there are never more than the slots, nor more than a quarter for one account", () => {
    whatever((taking, { account }) => {
      expect(taking.running()).toBeLessThanOrEqual(OPTIONS.slots);
      expect(taking.running(({ accountId }) => accountId === `acc_${account}`)).toBeLessThanOrEqual(OPTIONS.slots / 4);
    });
  });

  test("an endpoint has no more than it may, and an impaired one begins nothing where half is taken", () => {
    whatever((taking, { account, endpoint }) => {
      const accountId = `acc_${account}`;
      const endpointId = `${accountId}_${endpoint}`;
      const before = taking.taken.get(endpointId);
      const impaired = taking.running((share) => share.impaired);
      const began = taking.begin(accountId, endpointId);
      if (began) taking.end(endpointId);
      expect(before?.running ?? 0).toBeLessThanOrEqual(OPTIONS.perEndpoint);
      const isHeldBack = before?.impaired && (before.running >= 4 || impaired >= OPTIONS.slots / 2);
      if (isHeldBack) expect(began).toBe(false);
    });
  });

  test("what has ended is free again", () => {
    whatever(() => undefined);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const taking = new Taking();
        for (const next of steps) take(taking, next);
        for (const [endpointId, { running, accountId }] of taking.taken) {
          for (let n = 0; n < running; n += 1) taking.end(endpointId);
          taking.mark(accountId, endpointId, false);
        }
        expect(taking.fill("acc_new", "new")).toBe(OPTIONS.perEndpoint);
      }),
      { numRuns: 50 },
    );
  });
});

describe("quick endpoints", () => {
  test("one alone has all that one may have", () => {
    expect(new Taking().fill("acc_1", "a")).toBe(32);
  });

  test("ten accounts with one each have it, too", () => {
    const taking = new Taking();
    for (let n = 0; n < 10; n += 1) expect(taking.fill(`acc_${n}`, `${n}`)).toBe(32);
  });

  test("half of the slots are theirs alone, however many slow ones there are", () => {
    const taking = new Taking();
    for (let account = 0; account < 30; account += 1) {
      for (let n = 0; n < 100; n += 1) {
        const endpointId = `${account}_${n}`;
        taking.mark(`acc_${account}`, endpointId, true);
        taking.fill(`acc_${account}`, endpointId);
      }
    }
    expect(taking.running()).toBe(512);
    expect(taking.fill("acc_good", "good")).toBe(32);
  });
});
