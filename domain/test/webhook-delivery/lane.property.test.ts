import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  afterDelivery,
  afterFailedAttempt,
  countPending,
  type Lane,
  MAX_LISTED_DELIVERIES,
  needsRefill,
  newLane,
  type PendingDelivery,
  withNewDeliveries,
  withRefill,
  withReplayedDeliveries,
} from "../../src/index.ts";

const delivery = (n: number): PendingDelivery => ({
  eventId: `evt_${n}`,
  type: "t",
  sort: String(n).padStart(6, "0"),
  at: n,
});
const numberOf = (sort: string) => (sort === "" ? -1 : Number(sort));

type Step =
  | { readonly kind: "new"; readonly count: number }
  | { readonly kind: "send"; readonly count: number }
  | { readonly kind: "fail" }
  | { readonly kind: "replay"; readonly from: number; readonly pageSize: number; readonly isDuring: boolean };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("new" as const), count: fc.integer({ min: 1, max: 150 }) }),
    fc.record({ kind: fc.constant("send" as const), count: fc.integer({ min: 1, max: 150 }) }),
    fc.record({ kind: fc.constant("fail" as const) }),
    fc.record({
      kind: fc.constant("replay" as const),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      pageSize: fc.integer({ min: 1, max: 200 }),
      isDuring: fc.boolean(),
    }),
  ),
  { maxLength: 25 },
);

/** A lane, the events it is about, and what was sent; a lane that is empty may be forgotten at any time. */
class LaneModel {
  lane: Lane = newLane("acc");
  events = 0;
  readonly sent: number[] = [];

  add(count: number): void {
    const added = Array.from({ length: count }, (_, index) => delivery(this.events + index));
    this.events += count;
    this.lane = withNewDeliveries(this.lane, added);
    expect(withNewDeliveries(this.lane, added)).toBe(this.lane);
  }

  /** Others may change the lane meanwhile. */
  send(meanwhile = () => {}): boolean {
    if (needsRefill(this.lane)) this.name();
    const [head] = this.lane.owed;
    if (head === undefined) return false;
    this.sent.push(head.at);
    meanwhile();
    this.lane = afterDelivery(this.lane, head.sort);
    if (countPending(this.lane) === 0) this.lane = newLane("acc");
    return true;
  }

  fail(): void {
    const [head] = this.lane.owed;
    if (head === undefined || this.lane.failures === 9) return;
    this.lane = afterFailedAttempt(this.lane, head.sort, { at: 1, chance: 0, retryAfter: null }).lane;
  }

  /** Named as the read models would have it: all behind the last one named, up to the last there is. */
  name(): void {
    const from = numberOf(this.lane.namedTo) + 1;
    const to = numberOf(this.lane.last);
    const named = Array.from({ length: Math.min(MAX_LISTED_DELIVERIES, to - from + 1) }, (_, index) =>
      delivery(from + index),
    );
    this.lane = withRefill(this.lane, named, from + named.length > to);
  }

  /** Page by page, with a delivery in between, or during one. */
  replay(from: number, pageSize: number, isDuring: boolean): void {
    const { events } = this;
    for (let first = from; first < events; first += pageSize) {
      const page = Array.from({ length: Math.min(pageSize, events - first) }, (_, index) => delivery(first + index));
      const add = () => {
        this.lane = withReplayedDeliveries(this.lane, page);
      };
      if (!isDuring || !this.send(add)) add();
      this.send();
    }
  }
}

test("whatever happens, all that is owed is sent, in order, again from where a replay begins", () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const world = new LaneModel();
      const replays: { readonly from: number; readonly to: number; readonly sentBefore: number }[] = [];
      for (const step of plan) {
        if (step.kind === "new") world.add(step.count);
        if (step.kind === "fail") world.fail();
        if (step.kind === "send") for (let n = 0; n < step.count && world.send(); n += 1);
        if (step.kind === "replay" && world.events > 0) {
          const from = Math.floor(step.from * (world.events - 1));
          replays.push({ from, to: world.events, sentBefore: world.sent.length });
          world.replay(from, step.pageSize, step.isDuring);
        }
      }
      while (world.send());
      expect(countPending(world.lane)).toBe(0);
      for (const { from, to, sentBefore } of [{ from: 0, to: world.events, sentBefore: 0 }, ...replays]) {
        const lastly = new Map(world.sent.slice(sentBefore).map((number, index) => [number, index]));
        const places = Array.from({ length: to - from }, (_, index) => lastly.get(from + index));
        expect(places).not.toContain(undefined);
        expect(places).toStrictEqual(places.toSorted((one, other) => (one ?? 0) - (other ?? 0)));
      }
      // Only a replay goes back.
      const steppedBack = world.sent.filter((number, index) => number <= (world.sent[index - 1] ?? -1)).length;
      expect(steppedBack).toBeLessThanOrEqual(replays.length);
    }),
    { numRuns: 300 },
  );
});
