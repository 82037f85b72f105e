import { afterEach, expect, test } from "@jest/globals";
import { type PageItem, type PageRequest, ReadStoreUnavailable } from "@travel-booking/engines/read-store";
import { EVENTS, eventSortKey, eventStubJson } from "@travel-booking/read-models";
import { EventNotifier, type EventNotifierOptions, type EventWatch } from "../src/event-notifier.ts";

const LONG = 120_000;
const SHORT = 20;

/** Read models and their progress, as a test moves them. */
class Shown {
  readonly positions = new Map<string, bigint>([[EVENTS.projection, 10n]]);
  readonly events: { readonly position: bigint; readonly accountId: string }[] = [];
  readonly waits: { readonly name: string; readonly position: bigint; readonly reached: () => void }[] = [];
  pages = 0;
  failure: Error | undefined;

  readonly models = {
    page: async (_: string, { from = "", after = "", before = "", limit }: PageRequest) => {
      this.pages += 1;
      if (this.failure !== undefined) throw this.failure;
      const items = this.events.map(({ position, accountId }): PageItem => {
        const sort = eventSortKey(position, 0);
        const stub = { type: "booking.changed", accountId, about: "bkg_1", at: 0, revision: 1 } as const;
        return { key: `evt_${position}`, sort, json: eventStubJson(stub), staleAt: null };
      });
      return items.filter(({ sort }) => sort >= from && sort > after && sort < before).slice(0, limit);
    },
  };

  readonly progress: EventNotifierOptions["progress"] = {
    positionOf: (name) => this.positions.get(name) ?? 0n,
    waitUntil: (name, position, timeoutMs) => {
      if (this.progress.positionOf(name) >= position) return Promise.resolve(true);
      return new Promise((resolve) => {
        // Not left open where a test ends while it waits.
        const timer = setTimeout(() => resolve(false), timeoutMs).unref();
        const reached = () => {
          clearTimeout(timer);
          resolve(true);
        };
        this.waits.push({ name, position, reached });
      });
    },
  };

  advance(position: bigint): void {
    this.positions.set(EVENTS.projection, position);
    for (const wait of this.waits) if (this.progress.positionOf(wait.name) >= wait.position) wait.reached();
  }

  /** An event of the account at this position; everything shows it. */
  show(position: bigint, accountId: string): void {
    this.events.push({ position, accountId });
    this.advance(position);
  }
}

let notifier: EventNotifier | undefined;
afterEach(() => notifier?.stop());

function following(shown: Shown, options: Partial<EventNotifierOptions> = {}): EventNotifier {
  notifier = new EventNotifier({ models: shown.models, progress: shown.progress, ...options });
  return notifier;
}

function watching(of: EventNotifier, accountId: string): EventWatch {
  const watch = of.watch(accountId, () => true);
  if (watch === undefined) throw new Error("nobody else may wait");
  return watch;
}

const isWoken = (watch: EventWatch, withinMs = LONG) => watch.next(withinMs);

test("an event wakes the watches of its account only", async () => {
  const shown = new Shown();
  const of = following(shown);
  const [ada, again, eve] = [watching(of, "acc_1"), watching(of, "acc_1"), watching(of, "acc_2")];
  const waits = [isWoken(ada), isWoken(again)];
  const others = isWoken(eve, 200);
  shown.show(11n, "acc_1");
  expect(await Promise.all(waits)).toStrictEqual([true, true]);
  expect(await others).toBe(false);
});

test("an event wakes no watch that does not want it", async () => {
  const shown = new Shown();
  const of = following(shown);
  const asked: string[] = [];
  const picky = of.watch("acc_1", ({ eventId }) => asked.push(eventId) === 0);
  const any = isWoken(watching(of, "acc_1"));
  shown.show(11n, "acc_1");
  expect(await any).toBe(true);
  expect(asked).toStrictEqual(["evt_11"]);
  expect(await picky?.next(SHORT)).toBe(false);
});

test("an event is noticed once the read model of bookings shows it, and not before", async () => {
  const shown = new Shown();
  const watch = watching(following(shown), "acc_1");
  shown.events.push({ position: 11n, accountId: "acc_1" });
  expect(await isWoken(watch, SHORT)).toBe(false);
  const woken = isWoken(watch);
  shown.advance(11n);
  expect(await woken).toBe(true);
});

test("an event that becomes visible after the start of a watch and before its wait is noticed", async () => {
  const shown = new Shown();
  const of = following(shown);
  const watch = watching(of, "acc_1");
  const other = watching(of, "acc_1");
  shown.show(11n, "acc_1");
  expect(await isWoken(other)).toBe(true);
  expect(await isWoken(watch)).toBe(true);
  expect(await isWoken(watch, SHORT)).toBe(false);
});

test("each event is read once, however many watches there are, and none without a watch", async () => {
  const shown = new Shown();
  const of = following(shown);
  shown.show(11n, "acc_1");
  expect(shown.pages).toBe(0);
  const watches = Array.from({ length: 500 }, () => watching(of, "acc_1"));
  const woken = watches.map((watch) => isWoken(watch));
  shown.show(12n, "acc_1");
  await Promise.all(woken);
  expect(shown.pages).toBe(1);
  for (const watch of watches) watch.end();
  expect(of.waiting).toBe(0);
});

test("more events than fit on a page are all noticed", async () => {
  const shown = new Shown();
  const of = following(shown);
  const watch = watching(of, "acc_last");
  const woken = isWoken(watch);
  for (let position = 11n; position < 2_000n; position += 1n) shown.events.push({ position, accountId: "acc_1" });
  shown.show(2_000n, "acc_last");
  expect(await woken).toBe(true);
});

test("if the read models can't be read, all watches wake, and none misses an event afterwards", async () => {
  const shown = new Shown();
  const of = following(shown);
  const watch = watching(of, "acc_1");
  shown.failure = new ReadStoreUnavailable("away");
  const woken = isWoken(watch);
  shown.advance(11n);
  expect(await woken).toBe(true);
  shown.events.push({ position: 11n, accountId: "acc_2" });
  const eve = watching(of, "acc_2");
  shown.failure = undefined;
  expect(await isWoken(eve)).toBe(true);
});

test("after another log was taken, whose positions are lower, all watches wake, and its next event is noticed", async () => {
  const shown = new Shown();
  const watch = watching(following(shown), "acc_1");
  shown.positions.set(EVENTS.projection, 4n);
  expect(await isWoken(watch)).toBe(true);
  shown.show(5n, "acc_1");
  expect(await isWoken(watch)).toBe(true);
});

test("the number of watches is bounded", () => {
  const of = following(new Shown(), { maxWaiting: 2 });
  const [first] = [watching(of, "acc_1"), watching(of, "acc_2")];
  expect(of.watch("acc_3", () => true)).toBeUndefined();
  first.end();
  first.end();
  expect(of.waiting).toBe(1);
  expect(of.watch("acc_3", () => true)).toBeDefined();
  expect(of.watch("acc_3", () => true)).toBeUndefined();
});

test("a watch ends on time-out, on disconnect, and when the notifier stops", async () => {
  const of = following(new Shown());
  const watch = watching(of, "acc_1");
  expect(await watch.next(SHORT)).toBe(false);
  const waiting = watch.next(LONG);
  // As its client's disconnect does.
  watch.close();
  await waiting;
  await watch.next(LONG);
  const other = watching(of, "acc_2");
  const others = [watching(of, "acc_1").next(LONG), other.next(LONG)];
  of.stop();
  await Promise.all(others);
  expect(other.isClosed).toBe(true);
  await other.next(LONG);
  expect(of.watch("acc_1", () => true)).toBeUndefined();
});
