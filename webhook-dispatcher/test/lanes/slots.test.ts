import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { BurstLimiter, SlotAllocator, type SlotHolder } from "../../src/lanes/slots.ts";

const OPTIONS = { slots: 1_024, perEndpoint: 32, perImpairedEndpoint: 4 };

/** Endpoints that acquire all the slots they can get. */
class Acquiring {
  readonly slots = new SlotAllocator(OPTIONS);
  readonly allocations = new Map<string, SlotHolder>();

  /** Whether it got a slot. */
  acquire(accountId: string, endpointId: string): boolean {
    const allocation = this.#of(accountId, endpointId);
    const canAcquire = this.slots.canAcquire(allocation);
    if (canAcquire) this.slots.acquire(allocation);
    return canAcquire;
  }

  release(endpointId: string): void {
    const allocation = this.allocations.get(endpointId);
    if (allocation !== undefined && allocation.running > 0) this.slots.release(allocation);
  }

  mark(accountId: string, endpointId: string, impaired: boolean): void {
    this.slots.setImpaired(this.#of(accountId, endpointId), impaired);
  }

  /** Acquires as many slots as possible and returns their number. */
  fill(accountId: string, endpointId: string): number {
    let count = 0;
    while (this.acquire(accountId, endpointId)) count += 1;
    return count;
  }

  running(holds: (allocation: SlotHolder) => boolean = () => true): number {
    return [...this.allocations.values()].filter(holds).reduce((sum, { running }) => sum + running, 0);
  }

  #of(accountId: string, endpointId: string): SlotHolder {
    const allocation = this.allocations.get(endpointId) ?? { accountId, running: 0, impaired: false };
    this.allocations.set(endpointId, allocation);
    return allocation;
  }
}

const ACCOUNTS = 40;
const step = fc.record({
  what: fc.constantFrom("acquire", "fill", "fill all", "release", "slow", "quick"),
  account: fc.nat(ACCOUNTS - 1),
  endpoint: fc.nat(99),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function apply(acquiring: Acquiring, { what, account, endpoint }: Step): void {
  const accountId = `acc_${account}`;
  const endpointId = `${accountId}_${endpoint}`;
  if (what === "acquire") acquiring.acquire(accountId, endpointId);
  else if (what === "fill") acquiring.fill(accountId, endpointId);
  else if (what === "fill all") for (let n = 0; n < 100; n += 1) acquiring.fill(accountId, `${accountId}_${n}`);
  else if (what === "release") acquiring.release(endpointId);
  else acquiring.mark(accountId, endpointId, what === "slow");
}

describe("under any load of forty accounts with a hundred endpoints each", () => {
  const always = (holds: (acquiring: Acquiring, last: Step) => void) =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const acquiring = new Acquiring();
        for (const next of steps) {
          apply(acquiring, next);
          holds(acquiring, next);
        }
      }),
      { numRuns: 100 },
    );

  test("a quick endpoint of another account gets several slots at once", () => {
    always((acquiring) => {
      const { length } = Array.from({ length: 3 }, (_, n) => acquiring.acquire("acc_good", `good_${n}`)).filter(
        Boolean,
      );
      for (let n = 0; n < 3; n += 1) acquiring.release(`good_${n}`);
      expect(length).toBe(3);
    });
  });

  test("no more slots are used than there are, and no more than a quarter by one account", () => {
    always((acquiring, { account }) => {
      expect(acquiring.running()).toBeLessThanOrEqual(OPTIONS.slots);
      expect(acquiring.running(({ accountId }) => accountId === `acc_${account}`)).toBeLessThanOrEqual(
        OPTIONS.slots / 4,
      );
    });
  });

  test("an endpoint stays within its limit, and an impaired one gets nothing while half is impaired", () => {
    always((acquiring, { account, endpoint }) => {
      const accountId = `acc_${account}`;
      const endpointId = `${accountId}_${endpoint}`;
      const known = acquiring.allocations.get(endpointId);
      const before = known && { ...known };
      const impaired = acquiring.running((allocation) => allocation.impaired);
      const acquired = acquiring.acquire(accountId, endpointId);
      if (acquired) acquiring.release(endpointId);
      expect(before?.running ?? 0).toBeLessThanOrEqual(OPTIONS.perEndpoint);
      const mustRefuse = before?.impaired && (before.running >= 4 || impaired >= OPTIONS.slots / 2);
      if (mustRefuse) expect(acquired).toBe(false);
    });
  });

  test("released slots are free again", () => {
    always(() => undefined);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const acquiring = new Acquiring();
        for (const next of steps) apply(acquiring, next);
        for (const [endpointId, { running, accountId }] of acquiring.allocations) {
          for (let n = 0; n < running; n += 1) acquiring.release(endpointId);
          acquiring.mark(accountId, endpointId, false);
        }
        expect(acquiring.fill("acc_new", "new")).toBe(OPTIONS.perEndpoint);
      }),
      { numRuns: 50 },
    );
  });
});

describe("quick endpoints", () => {
  test("one alone gets its full limit", () => {
    expect(new Acquiring().fill("acc_1", "a")).toBe(32);
  });

  test("ten accounts with one each get it, too", () => {
    const acquiring = new Acquiring();
    for (let n = 0; n < 10; n += 1) expect(acquiring.fill(`acc_${n}`, `${n}`)).toBe(32);
  });

  test("always have half of the slots, however many slow ones there are", () => {
    const acquiring = new Acquiring();
    for (let account = 0; account < 30; account += 1) {
      for (let n = 0; n < 100; n += 1) {
        const endpointId = `${account}_${n}`;
        acquiring.mark(`acc_${account}`, endpointId, true);
        acquiring.fill(`acc_${account}`, endpointId);
      }
    }
    expect(acquiring.running()).toBe(512);
    expect(acquiring.fill("acc_good", "good")).toBe(32);
  });
});

describe("the burst limit", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function setUp() {
    const onCapacity = jest.fn();
    const limiter = new BurstLimiter(onCapacity);
    /** So many starts at once. */
    const acquire = (count: number) => Array.from({ length: count }, () => limiter.acquire());
    return { limiter, acquire, onCapacity };
  }

  test("so many start at a time; the end of one makes room", () => {
    const { limiter, acquire } = setUp();
    const [first] = acquire(63);
    expect(limiter.hasCapacity()).toBe(true);
    acquire(1);
    expect(limiter.hasCapacity()).toBe(false);
    for (let n = 0; n < 2; n += 1) if (first !== undefined) limiter.release(first);
    expect(limiter.hasCapacity()).toBe(true);
    acquire(1);
    expect(limiter.hasCapacity()).toBe(false);
  });

  test("those that take longer than the window do not count, and their end makes no room", () => {
    const { limiter, acquire } = setUp();
    const [slow] = acquire(64);
    jest.advanceTimersByTime(9);
    expect(limiter.hasCapacity()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(limiter.hasCapacity()).toBe(true);
    acquire(64);
    expect(limiter.hasCapacity()).toBe(false);
    if (slow !== undefined) limiter.release(slow);
    expect(limiter.hasCapacity()).toBe(false);
  });

  test("capacity that returns with time is announced", () => {
    const { limiter, acquire, onCapacity } = setUp();
    acquire(64);
    expect(limiter.hasCapacity()).toBe(false);
    jest.advanceTimersByTime(9);
    expect(onCapacity).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onCapacity).toHaveBeenCalledTimes(1);
    expect(limiter.hasCapacity()).toBe(true);
  });
});
