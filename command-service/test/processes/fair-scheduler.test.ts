import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type DueTask, dueSortKey } from "@travel-booking/domain";
import { ManualClock } from "@travel-booking/runtime";
import { FairScheduler } from "../../src/processes/fair-scheduler.ts";

const T0 = 1_000_000;
const AT_ONCE = 2;

type Key = `${string}/${number}`;

/** A list of reviews, `<account>/<number>` each, that end when the test says so. */
class Reviews {
  readonly begun: string[] = [];
  readonly failed: string[] = [];
  readonly scheduler: FairScheduler;
  readonly real = { now: 0 };
  readonly clock = new ManualClock(T0);
  readonly #open: Key[] = [];
  readonly #underWay = new Map<string, PromiseWithResolvers<bigint>>();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #looked: (() => void) | undefined;

  constructor() {
    const entry = (key: Key) => {
      const [accountId = ""] = key.split("/");
      const task: DueTask = {
        kind: "review_document",
        bookingId: "bkg_1",
        documentId: key,
        accountId,
        dueAt: T0,
      };
      return { key, task };
    };
    this.scheduler = new FairScheduler({
      clock: this.clock,
      realTime: { now: () => this.real.now },
      list: {
        dueBy: async (now, limit, after) => {
          const due = this.#open.filter((key) => now >= T0 && (after === undefined || dueSortKey(T0, key) > after));
          if (after === undefined) this.#looked?.();
          return due.toSorted().slice(0, limit).map(entry);
        },
      },
      fairnessKeyOf: (task) => ("accountId" in task ? String(task.accountId) : ""),
      concurrency: AT_ONCE,
      run: (task) => this.#run("documentId" in task ? task.documentId : ""),
      waitUntilListed: async () => undefined,
      onFailed: ({ key }) => this.failed.push(key),
    });
  }

  add(...keys: readonly Key[]): void {
    this.#open.push(...keys);
  }

  /** The review ends, and has left the list. */
  end(key: Key): void {
    this.#open.splice(this.#open.indexOf(key), 1);
    this.#take(key).resolve(1n);
  }

  fail(key: Key): void {
    this.#take(key).reject(new Error("not now"));
  }

  /** What was begun in all, as soon as it is so many. */
  async begunSoFar(count: number): Promise<readonly string[]> {
    while (this.begun.length < count) await new Promise((resolve) => setImmediate(resolve));
    return this.begun;
  }

  /** Resolves when the list has been looked at, and what follows from it has begun; not while there is no room. */
  async looks(): Promise<void> {
    for (let times = 0; times < 2; times += 1) {
      await new Promise<void>((resolve) => {
        this.#looked = resolve;
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  start(): void {
    this.#running = this.scheduler.runUntil(this.#stop.signal);
  }

  stop(): Promise<void> | undefined {
    this.#stop.abort();
    return this.#running;
  }

  endAll(): void {
    for (const { resolve } of this.#underWay.values()) resolve(1n);
  }

  #take(key: Key): PromiseWithResolvers<bigint> {
    const waiting = this.#underWay.get(key);
    if (waiting === undefined) throw new Error(`${key} is not under way`);
    this.#underWay.delete(key);
    return waiting;
  }

  #run(key: string): Promise<bigint> {
    this.begun.push(key);
    const waiting = Promise.withResolvers<bigint>();
    this.#underWay.set(key, waiting);
    return waiting.promise;
  }
}

let reviews: Reviews;
beforeEach(() => {
  reviews = new Reviews();
});
afterEach(async () => {
  reviews.endAll();
  await reviews.stop();
});

const many = (account: string, count: number) =>
  Array.from({ length: count }, (_, index): Key => `${account}/${1_000 + index}`);

describe("what takes long", () => {
  test("runs for one account after the other, however much one of them has on the list", async () => {
    reviews.add(...many("a", 450), "b/1", "c/1", "c/2");
    reviews.start();
    expect(await reviews.begunSoFar(2)).toStrictEqual(["a/1000", "b/1"]);
    reviews.end("b/1");
    expect((await reviews.begunSoFar(3)).slice(2)).toStrictEqual(["c/1"]);
    reviews.end("a/1000");
    expect((await reviews.begunSoFar(4)).slice(3)).toStrictEqual(["a/1001"]);
    reviews.end("c/1");
    reviews.end("a/1001");
    expect((await reviews.begunSoFar(6)).slice(4)).toStrictEqual(["c/2", "a/1002"]);
  });

  test("of somebody who has just come is next", async () => {
    reviews.add(...many("a", 3), ...many("b", 3));
    reviews.start();
    await reviews.begunSoFar(2);
    reviews.add("z/1");
    reviews.end("a/1000");
    expect(await reviews.begunSoFar(3)).toStrictEqual(["a/1000", "b/1000", "z/1"]);
  });

  test("of one account never runs twice at a time", async () => {
    reviews.add(...many("a", 3));
    reviews.start();
    await reviews.begunSoFar(1);
    await reviews.looks();
    expect(reviews.begun).toStrictEqual(["a/1000"]);
  });

  test("and fails makes room for the next of the same account, and is tried again later", async () => {
    reviews.add("a/1", "a/2");
    reviews.start();
    await reviews.begunSoFar(1);
    reviews.fail("a/1");
    expect(await reviews.begunSoFar(2)).toStrictEqual(["a/1", "a/2"]);
    expect(reviews.failed).toStrictEqual(["a/1"]);
    reviews.end("a/2");
    await reviews.looks();
    expect(reviews.begun).toHaveLength(2);
    reviews.real.now = 1_000;
    expect(await reviews.begunSoFar(3)).toStrictEqual(["a/1", "a/2", "a/1"]);
  });

  test("is not begun any more once it was stopped; what is under way is waited for", async () => {
    reviews.add("a/1", "b/1", "c/1");
    reviews.start();
    await reviews.begunSoFar(2);
    const stopped = reviews.stop();
    reviews.endAll();
    await stopped;
    expect(reviews.begun).toStrictEqual(["a/1", "b/1"]);
  });
});
