import { expect, test } from "@jest/globals";
import type { FlightEvent } from "@travel-booking/domain";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { verify } from "../../src/operator/disruption-evidence.ts";
import { turnsDuring } from "../support/turns.ts";

const EVENTS = 2_000;

test("others get their turns while the long stream of a flight is followed", async () => {
  const plan = { flightId: "F", destinationId: "D", departsAt: 1_000, durationDays: 1, from: "Earth", cabins: [] };
  const decided = { revision: 1, reason: null };
  const history = [
    { type: "FlightScheduled", at: 0, data: plan },
    ...Array.from({ length: EVENTS }, () => ({ type: "SalesOpened", at: 1, data: decided })),
    { type: "FlightCancelled", at: 2, data: { ...decided, disruptionId: "dis_1", policy: "refund", bookings: 0 } },
  ] as unknown as readonly FlightEvent[];
  const cause = { accountId: null, actor: { kind: "system", id: "x" }, requestId: null, causationId: null } as const;
  const store = new InMemoryEventStore();
  await store.append(
    "flight-F",
    NO_STREAM,
    history.map((event, n) => ({ ...event, id: `${n}`, version: 1, metadata: { ...cause, commandId: `${n}` } })),
  );
  const shown = { id: "dis_1", flightId: "F", bookings: 0, followed: 0, open: 0, cases: [], stuck: [] };
  let proof: unknown;
  const turns = await turnsDuring(async () => {
    proof = await verify({ store } as never, shown as never);
  });
  expect(proof).toStrictEqual({ id: "dis_1", bookings: 0, followed: 0, open: 0, money: [], differences: [] });
  expect(turns).toBeGreaterThanOrEqual(5);
});
