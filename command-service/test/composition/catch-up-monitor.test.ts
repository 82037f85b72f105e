import { expect, test } from "@jest/globals";
import type { ProjectionStatus } from "@travel-booking/read-models/control";
import { CatchUpMonitor } from "../../src/composition/catch-up-monitor.ts";

const POSITION = 7n;
/** What any GET of the public API reads. */
const SHOWN = ["bookings", "destinations", "flights", "loyalty", "passengers", "webhooks"];

/** A monitor of projections of which these are behind for good, and the names it has waited for, once per wait. */
function monitorOf(behind: readonly string[], list: () => Promise<readonly ProjectionStatus[]>) {
  const waits: string[] = [];
  const progress = {
    positionOf: (projection: string) => (behind.includes(projection) ? 0n : POSITION),
    async waitUntil(projection: string) {
      waits.push(projection);
      return !behind.includes(projection);
    },
  };
  return { monitor: new CatchUpMonitor({ list }, progress, { head: async () => POSITION }), waits };
}

function stopped(name: string): ProjectionStatus {
  return { name, state: "stopped", position: "0", lag: 7, error: "boom", failedAt: null };
}

test("what clients can't read is not waited for", async () => {
  const { monitor, waits } = monitorOf(["accounts", "obligations"], async () => []);
  await monitor.waitUntilShown(POSITION);
  expect(waits.toSorted()).toStrictEqual(SHOWN);
});

test("nor is a projection that an event has stopped", async () => {
  const { monitor, waits } = monitorOf(["loyalty"], async () => [stopped("loyalty")]);
  await monitor.waitUntilShown(POSITION);
  expect(waits.toSorted()).toStrictEqual(SHOWN);
});

test("one of which nobody can tell whether it is stopped is waited for", async () => {
  const answers = [() => Promise.reject(new Error("out of reach")), async () => [stopped("loyalty")]];
  const { monitor, waits } = monitorOf(["loyalty"], () => (answers.shift() as () => Promise<ProjectionStatus[]>)());
  await monitor.waitUntilShown(POSITION);
  expect(waits.filter((name) => name === "loyalty")).toHaveLength(2);
});

test("what needs one projection alone waits for no other", async () => {
  const { monitor, waits } = monitorOf(["flights"], async () => []);
  await monitor.waitUntilProjected(POSITION, ["bookings"]);
  expect(waits).toStrictEqual(["bookings"]);
});
