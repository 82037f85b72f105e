import { expect, test } from "@jest/globals";
import { afterDelivery, afterFailedAttempt, type PendingDelivery } from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/memory";
import { FanOutCheckpoint, Lanes } from "@travel-booking/webhooks/deliveries";
import fc from "fast-check";
import { DelayedCheckpoint } from "../../src/fan-out/delayed-checkpoint.ts";
import { DeliveryWindow } from "../../src/lanes/delivery-window.ts";

const KEYS = ["whe_1/bkg_1", "whe_1/bkg_2", "whe_2/bkg_1", "whe_2/bkg_3"];
const LISTED = 100;

const sortOf = (n: number) => String(n).padStart(6, "0");
const deliveryOf = (n: number): PendingDelivery => ({ eventId: `evt_${n}`, type: "t", sort: sortOf(n), at: n });

/** The fan-out, the worker and the attempt log, each reduced to what the window needs of them. */
class Life {
  readonly state = new InMemoryStateStore();
  readonly lanes = new Lanes(this.state);
  readonly checkpoint = new FanOutCheckpoint(this.state);
  /** The deliveries of all events, by lane. */
  readonly owed = new Map<string, PendingDelivery[]>(KEYS.map((key) => [key, []]));
  readonly made = new Map<string, string[]>(KEYS.map((key) => [key, []]));
  readonly heldUp = new Set<string>();
  reached = new DelayedCheckpoint(this.checkpoint);
  window = this.#begin();
  #events = 0;
  #added = 0;
  #keyOfEvent: string[] = [];

  #begin(): DeliveryWindow {
    return new DeliveryWindow({
      lanes: this.lanes,
      checkpoint: this.reached,
      enqueue: () => undefined,
      wake: async () => undefined,
      isHeldUp: (endpointId) => this.heldUp.has(endpointId),
      onHeldUp: () => undefined,
      maxLanes: 3,
      maxAgeMs: { heldUp: 3_600_000, any: 3_600_000 },
    });
  }

  event(key: string): void {
    this.#events += 1;
    this.#keyOfEvent.push(key);
    this.owed.get(key)?.push(deliveryOf(this.#events));
  }

  async fanOut(count: number): Promise<void> {
    const to = Math.min(this.#events, this.#added + count);
    if (to === this.#added) return;
    const byLane = new Map<string, { accountId: string; deliveries: PendingDelivery[] }>();
    for (let n = this.#added + 1; n <= to; n += 1) {
      const key = this.#keyOfEvent[n - 1] ?? "";
      const delivery = deliveryOf(n);
      if (this.made.get(key)?.includes(delivery.eventId)) continue;
      const added = byLane.get(key) ?? { accountId: "acc", deliveries: [] };
      byLane.set(key, added);
      added.deliveries.push(delivery);
    }
    await this.window.add(sortOf(to), byLane);
    await this.window.start(byLane);
    this.#added = to;
  }

  async attempt(key: string, succeeds: boolean): Promise<void> {
    const stored = await this.window.get(key);
    const head = stored?.lane.owed[0];
    if (stored === undefined || head === undefined) return;
    if (succeeds) this.made.get(key)?.push(head.eventId);
    await this.window.change(
      key,
      (lane) =>
        lane && {
          ...lane,
          ...(succeeds
            ? afterDelivery(lane, head.sort)
            : afterFailedAttempt(lane, head.sort, { at: 0, chance: 0.5, retryAfter: null }).lane),
        },
      stored,
    );
  }

  /** What is in memory is lost. */
  async crash(): Promise<void> {
    this.window.clear();
    this.reached = new DelayedCheckpoint(this.checkpoint);
    this.window = this.#begin();
    this.#added = Number(await this.checkpoint.load());
  }
}

const key = fc.constantFrom(...KEYS);
const step = fc.oneof(
  fc.record({ kind: fc.constant("events" as const), keys: fc.array(key, { minLength: 1, maxLength: 6 }) }),
  fc.record({ kind: fc.constant("fanOut" as const), count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant("succeed" as const), key }),
  fc.record({ kind: fc.constant("succeed" as const), key }),
  fc.record({ kind: fc.constant("fail" as const), key }),
  fc.record({ kind: fc.constant("late" as const), key }),
  fc.record({ kind: fc.constant("heldUp" as const), endpoint: fc.constantFrom("whe_1", "whe_2") }),
  fc.record({ kind: fc.constant("save" as const) }),
  fc.record({ kind: fc.constant("crash" as const) }),
);

test("whatever fails, is late or dies: everything is delivered once and in the order of its booking", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const life = new Life();
      for (const next of steps) {
        if (next.kind === "events") next.keys.forEach((one) => void life.event(one));
        else if (next.kind === "fanOut") await life.fanOut(next.count);
        else if (next.kind === "succeed") await life.attempt(next.key, true);
        else if (next.kind === "fail") await life.attempt(next.key, false);
        else if (next.kind === "late") await life.window.store(next.key);
        else if (next.kind === "heldUp" && !life.heldUp.delete(next.endpoint)) life.heldUp.add(next.endpoint);
        else if (next.kind === "crash") await life.crash();
        else if (next.kind === "save") await life.reached.flush();
      }
      await life.fanOut(1_000);
      for (const one of KEYS) for (let n = 0; n < LISTED * 4; n += 1) await life.attempt(one, true);
      for (const one of KEYS)
        expect(life.made.get(one)).toStrictEqual(life.owed.get(one)?.map(({ eventId }) => eventId));
      await life.window.settled();
      expect(await life.lanes.get(KEYS[0] ?? "")).toBeUndefined();
      const reached = Number(await life.checkpoint.load());
      await life.crash();
      await life.fanOut(1_000);
      for (const one of KEYS) expect(await life.window.get(one)).toBeUndefined();
      expect(reached).toBe([...life.owed.values()].flat().length);
    }),
    { numRuns: 300 },
  );
});
