import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { CommandHandler } from "@travel-booking/command-service";
import { accept, type Decider, type DomainEvent, reject } from "@travel-booking/domain";
import type { EventStore } from "@travel-booking/engines/event-store";
import { commandIdGenerator, systemClock } from "@travel-booking/runtime";
import type { AppendFault } from "../../engines/eventstoredb/index.ts";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { useDouble } from "./kit/use-double.ts";
import { useStores } from "./kit/use-stores.ts";

const server = useDouble({ writeTimeoutMs: 100 });

/** Seats of one flight: each taken once, none beyond the last. */
type SeatTaken = DomainEvent<"SeatTaken", { readonly by: string }>;
interface TakeSeat {
  readonly by: string;
}
const SEATS = 150;
const decider: Decider<TakeSeat, { taken: number }, SeatTaken, "full"> = {
  initialState: () => ({ taken: 0 }),
  decide({ by }, state, at) {
    return state.taken === SEATS ? reject("full", {}) : accept({ type: "SeatTaken", at, data: { by } });
  },
  evolve(state) {
    state.taken += 1;
    return state;
  },
};

/** A command handler as a process of its own has it. */
function handlerOn(store: EventStore) {
  const handler = new CommandHandler({ store, clock: systemClock });
  const ids = commandIdGenerator(systemClock);
  return (stream: string, by: string) =>
    handler.execute({
      stream,
      decider,
      command: { by },
      context: {
        accountId: null,
        actor: { kind: "system", id: by },
        requestId: null,
        causationId: null,
        commandId: ids.next(),
        attempt: { repeated: false },
      },
      reply: (state, events) => ({ taken: state.taken, events: events.length }),
    });
}

/** Every accepted command is in the stream once, and nothing else is. */
async function expectNoLostUpdate(
  store: EventStore,
  stream: string,
  outcomes: readonly { readonly by: string; readonly accepted: boolean }[],
): Promise<void> {
  const events = await store.readStream(stream);
  const accepted = outcomes.filter((outcome) => outcome.accepted).map(({ by }) => by);
  expect(events.map(({ data }) => (data as SeatTaken["data"]).by).sort()).toStrictEqual(accepted.sort());
  expect(events.map(({ revision }) => revision)).toStrictEqual(events.map((_, index) => index));
}

async function takeSeats(takers: readonly ReturnType<typeof handlerOn>[], stream: string, commands: number) {
  return Promise.all(
    Array.from({ length: commands }, async (_, n) => {
      const by = `passenger-${n}`;
      const take = takers[n % takers.length] ?? takers[0];
      // In waves, so that each meets a stream that others have changed.
      await new Promise((resolve) => setTimeout(resolve, n % 7));
      const outcome = await take?.(stream, by);
      return { by, accepted: outcome?.accepted === true };
    }),
  );
}

describe("two command handlers on one stream decide commands, and none is lost", () => {
  test.each<AppendFault>(["lose answer", "swallow", "hold answer"])(
    "also where the answers of some appends are lost (%s)",
    async (fault) => {
      const stream = `flight-${randomUUID()}`;
      const takers = [
        handlerOn(server.open({ appendTimeoutMs: 200 })),
        handlerOn(server.open({ appendTimeoutMs: 200 })),
      ];
      await takeSeats(takers, stream, 10);
      await server.faults.onAppends(fault, 3);
      const outcomes = await takeSeats(takers, stream, 100);
      expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(100);
      const stored = await server.open().readStream(stream);
      expect(stored).toHaveLength(110);
      expect(new Set(stored.map(({ metadata }) => metadata.commandId)).size).toBe(110);
    },
  );
});

describeWith({ eventStore: startEventStore }, "two command handlers on one stream", ({ eventStore }) => {
  const server = useStores(eventStore);
  test("decide hundreds of commands, and none is lost or decided on a state that was out of date", async () => {
    const stream = `flight-${randomUUID()}`;
    const takers = [handlerOn(server.open()), handlerOn(server.open())];
    const outcomes = await takeSeats(takers, stream, 400);
    expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(SEATS);
    await expectNoLostUpdate(server.open(), stream, outcomes);
  });
});
