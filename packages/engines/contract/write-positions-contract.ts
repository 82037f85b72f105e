import { randomInt, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { WritePositions } from "../src/write-positions/index.ts";

/** Positions under test, with the log at 0; several `instances` share them where the engine is shared. */
export interface OpenedWritePositions {
  readonly instances: readonly [WritePositions, ...WritePositions[]];
  readonly dispose: () => Promise<void>;
}

/** The contract of every engine. Tests use their own credentials: they may share the engine. */
export function describeWritePositions(name: string, open: () => Promise<OpenedWritePositions>): void {
  describe(`write positions contract: ${name}`, () => {
    let opened: OpenedWritePositions;
    let credential: string;
    let turn = 0;

    beforeEach(async () => {
      opened = await open();
      credential = `crd_${randomUUID()}`;
    });
    afterEach(() => opened.dispose());

    /** Uses the instances in rotation. */
    const instance = () => opened.instances[turn++ % opened.instances.length] ?? opened.instances[0];
    const record = async (position: bigint, of = credential) => instance().record(of, position);
    const positionOf = async (of = credential) => instance().positionOf(of);

    test("nothing was written", async () => {
      expect((await positionOf()) ?? 0n).toBe(0n);
    });

    test("positions only grow", async () => {
      for (const [written, known] of [
        [5n, 5n],
        [3n, 5n],
        [5n, 5n],
        [9n, 9n],
        [10n, 10n],
        [9n, 10n],
        [1_000n, 1_000n],
        [999n, 1_000n],
      ] as const) {
        await record(written);
        expect(await positionOf()).toBe(known);
      }
    });

    test("each credential has its own", async () => {
      await record(7n);
      await record(4n, `${credential}-other`);
      expect([await positionOf(), await positionOf(`${credential}-other`)]).toStrictEqual([7n, 4n]);
      expect((await positionOf(`${credential}-third`)) ?? 0n).toBe(0n);
    });

    test("all are forgotten", async () => {
      await record(7n);
      await instance().forgetAll();
      for (const _ of opened.instances) expect((await positionOf()) ?? 0n).toBe(0n);
      await record(2n);
      expect(await positionOf()).toBe(2n);
    });

    test("the last digit of a long one counts", async () => {
      await record(9_223_372_036_854_775_806n);
      expect(await positionOf()).toBe(9_223_372_036_854_775_806n);
      await record(9_223_372_036_854_775_807n);
      await record(9_223_372_036_854_775_805n);
      await record(922_337_203_685_477_580n);
      expect(await positionOf()).toBe(9_223_372_036_854_775_807n);
    });

    test("a thousand recorded at once end at the highest", async () => {
      const base = 9_007_199_254_740_993n;
      const positions = Array.from({ length: 1_000 }, () => base + BigInt(randomInt(1_000_000_000)));
      await Promise.all(positions.map((position) => record(position)));
      const [highest] = positions.toSorted((a, b) => Number(b - a));
      for (const _ of opened.instances) expect(await positionOf()).toBe(highest);
    });
  });
}
