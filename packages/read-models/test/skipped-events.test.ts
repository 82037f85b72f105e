import { describe, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import {
  type EventReference,
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  SkippedEvents,
  skipFailedEvent,
} from "../src/control/index.ts";

const event = (id: string, position: number): EventReference => ({
  id,
  type: "Exploded",
  stream: "ship-a",
  position: String(position),
});

describe("skipped events", () => {
  test("are those of their projection, once each, in the order of the log", async () => {
    const skipped = new SkippedEvents(new InMemoryStateStore());
    await skipped.add("fleet", event("a", 10));
    await skipped.add("fleet", event("b", 9));
    await skipped.add("fleet", event("a", 10));
    await skipped.add("fleets", event("c", 1));
    expect(await skipped.of("fleet")).toStrictEqual([event("b", 9), event("a", 10)]);
    expect(await Promise.all(["a", "b", "c"].map((id) => skipped.has("fleet", id)))).toStrictEqual([true, true, false]);
  });

  test("are known to whoever opens the same state store", async () => {
    const state = new InMemoryStateStore();
    await new SkippedEvents(state).add("fleet", event("a", 10));
    expect(await new SkippedEvents(state).of("fleet")).toStrictEqual([event("a", 10)]);
  });
});

describe("skipping", () => {
  const LIVE: ProjectionStatus = { name: "fleet", state: "live", position: "9", lag: 0, error: null, failedAt: null };

  /** Skips in a projector of this status; what is skipped when it is asked to retry. */
  async function skip(status: ProjectionStatus, name = "fleet") {
    const skipped = new SkippedEvents(new InMemoryStateStore());
    const atRetry: (readonly EventReference[])[] = [];
    const projector: ProjectorControl = {
      list: async () => [status],
      rebuild: () => Promise.reject(new Error("nobody asked")),
      async retry(retried) {
        atRetry.push(await skipped.of(retried));
        if (status.state !== "stopped") throw new ProjectorRefusal("not_stopped", `${retried} is not stopped`);
        return LIVE;
      },
    };
    const answer = await skipFailedEvent(projector, skipped, name).catch((error: unknown) => error);
    return { answer, atRetry, skipped: await skipped.of("fleet") };
  }

  test("remembers the event before the projection tries again", async () => {
    const stopped: ProjectionStatus = { ...LIVE, state: "stopped", error: "boom", failedAt: event("a", 10) };
    expect(await skip(stopped)).toStrictEqual({
      answer: LIVE,
      atRetry: [[event("a", 10)]],
      skipped: [event("a", 10)],
    });
  });

  test("remembers what ended the rebuild of a live projection, which goes on", async () => {
    const live = { ...LIVE, failedAt: event("a", 10) };
    expect(await skip(live)).toStrictEqual({ answer: live, atRetry: [], skipped: [event("a", 10)] });
  });

  test("is refused as a retry is where no event has failed", async () => {
    const { answer, skipped } = await skip(LIVE);
    expect(answer).toMatchObject({ code: "not_stopped" });
    expect(skipped).toStrictEqual([]);
  });
});
