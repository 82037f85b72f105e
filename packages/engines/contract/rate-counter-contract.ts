import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { RateCounter, Window } from "../src/rate-counter/index.ts";

/** A counter under test; several `instances` count together where the engine is a shared one. */
export interface OpenedRateCounter {
  readonly instances: readonly [RateCounter, ...RateCounter[]];
  readonly dispose: () => Promise<void>;
}

const LENGTH = 60_000;
/** The service's clock may be far ahead of real time. */
const NOW = Date.parse("2093-01-10T12:00:30.500Z");

const valuesOf = ({ startedAt, count }: Window) => [startedAt, count];

/** The contract of every engine. Tests use their own keys: they may share a counter. */
export function describeRateCounter(name: string, open: () => Promise<OpenedRateCounter>): void {
  describe(`rate counter contract: ${name}`, () => {
    let opened: OpenedRateCounter;
    let key: string;
    let turn = 0;

    beforeEach(async () => {
      opened = await open();
      key = `test-${randomUUID()}`;
    });
    afterEach(() => opened.dispose());

    /** Counts with the instances in rotation. */
    const count = async (now: number, of = key) => {
      const instance = opened.instances[turn++ % opened.instances.length] ?? opened.instances[0];
      return valuesOf(await instance.increment(of, now, LENGTH));
    };

    test("a window begins with its first request and ends after its length", async () => {
      expect(await count(NOW)).toStrictEqual([NOW, 1]);
      expect(await count(NOW + 1)).toStrictEqual([NOW, 2]);
      expect(await count(NOW + LENGTH - 1)).toStrictEqual([NOW, 3]);
      expect(await count(NOW + LENGTH)).toStrictEqual([NOW + LENGTH, 1]);
      expect(await count(NOW + LENGTH + 1)).toStrictEqual([NOW + LENGTH, 2]);
    });

    test("counts several requests at once, in a new window and in one that has begun", async () => {
      const several = async (now: number, by: number) => {
        const instance = opened.instances[turn++ % opened.instances.length] ?? opened.instances[0];
        return valuesOf(await instance.increment(key, now, LENGTH, by));
      };
      expect(await several(NOW, 15)).toStrictEqual([NOW, 15]);
      expect(await several(NOW + 1, 3)).toStrictEqual([NOW, 18]);
      expect(await count(NOW + 2)).toStrictEqual([NOW, 19]);
    });

    test("each key has its own", async () => {
      expect(await count(NOW, `${key}-a`)).toStrictEqual([NOW, 1]);
      expect(await count(NOW + 5, `${key}-b`)).toStrictEqual([NOW + 5, 1]);
      expect(await count(NOW + 9, `${key}-a`)).toStrictEqual([NOW, 2]);
    });

    test("is exact under concurrency", async () => {
      const counted = await Promise.all(Array.from({ length: 500 }, () => count(NOW)));
      expect(counted.map(([startedAt]) => startedAt)).toStrictEqual(new Array(500).fill(NOW));
      expect(counted.map(([, number]) => Number(number)).sort((a, b) => a - b)).toStrictEqual(
        Array.from({ length: 500 }, (_, index) => index + 1),
      );
    });

    test("of many that come when a window is over, one begins the next", async () => {
      await count(NOW);
      const counted = await Promise.all(Array.from({ length: 64 }, () => count(NOW + LENGTH)));
      expect(new Set(counted.map(([startedAt]) => startedAt))).toStrictEqual(new Set([NOW + LENGTH]));
      expect(new Set(counted.map(([, number]) => number)).size).toBe(64);
    });

    test("a clock that is behind neither loses a count nor begins a window", async () => {
      await count(NOW + 500);
      expect(await count(NOW)).toStrictEqual([NOW + 500, 2]);
      expect(await count(NOW - LENGTH)).toStrictEqual([NOW + 500, 3]);
      expect(await count(NOW + 501)).toStrictEqual([NOW + 500, 4]);
    });

    test("clocks that differ agree on when a window is over", async () => {
      await count(NOW);
      expect(await count(NOW + LENGTH + 20)).toStrictEqual([NOW + LENGTH + 20, 1]);
      expect(await count(NOW + LENGTH - 20)).toStrictEqual([NOW + LENGTH + 20, 2]);
      expect(await count(NOW + 2 * LENGTH + 19)).toStrictEqual([NOW + LENGTH + 20, 3]);
      expect(await count(NOW + 2 * LENGTH + 20)).toStrictEqual([NOW + 2 * LENGTH + 20, 1]);
    });

    test("a clock that jumps forward begins a new window", async () => {
      await count(NOW);
      const later = NOW + 365 * 86_400_000;
      expect(await count(later)).toStrictEqual([later, 1]);
      expect(await count(NOW + 1)).toStrictEqual([later, 2]);
      expect(await count(later + 1)).toStrictEqual([later, 3]);
    });
  });
}
