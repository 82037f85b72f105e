import { expect, test } from "@jest/globals";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { auditLog } from "../audit/log.ts";

const QUARTER = 15 * 60_000;
const SOLD = {
  cabins: { economy: { fare: 1_000, surcharges: { "10A": 0, "10B": 0 } } },
};

interface Decided {
  readonly type: string;
  readonly at: number;
  readonly data: object;
}

const scheduled = { type: "FlightScheduled", at: 0, data: { departsAt: 10 * QUARTER } };

function held(holdId: string, seat: string): Decided {
  const data = { holdId, accountId: "acc_1", cabin: "economy", seats: [seat], expiresAt: QUARTER };
  return { type: "SeatsHeld", at: 0, data };
}

const expired = (holdId: string): Decided => ({ type: "SeatHoldExpired", at: QUARTER, data: { holdId } });

/** Of a log in which each of these is a command of its own. */
async function findingsOf(...decided: readonly Decided[]): Promise<readonly string[]> {
  const events = new InMemoryEventStore();
  for (const [index, event] of decided.entries()) {
    const metadata = {
      accountId: null,
      actor: { kind: "system", id: "test" },
      requestId: null,
      commandId: `command-${index}`,
      causationId: null,
    } as const;
    await events.append("flight-SO-1", NO_STREAM + index, [{ id: `event-${index}`, version: 1, metadata, ...event }]);
  }
  return auditLog(events, [], SOLD, 2 * QUARTER);
}

test("a log in which everything adds up has no findings", async () => {
  const holds = [held("hld_1", "10A"), held("hld_2", "10B"), expired("hld_1"), expired("hld_2")];
  expect(await findingsOf(scheduled, ...holds)).toStrictEqual([]);
});

test("a seat that two have is found", async () => {
  const holds = [held("hld_1", "10A"), held("hld_2", "10A")];
  expect(await findingsOf(scheduled, ...holds)).toStrictEqual(["the log: 10A of hold hld_1 was given to hold hld_2"]);
});

test("a hold that never ends is found", async () => {
  expect(await findingsOf(scheduled, held("hld_1", "10A"))).toStrictEqual(["the log: hold hld_1 never ended"]);
});
