import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { CommandHandler } from "@travel-booking/command-service";
import { accept, type Decider, type DomainEvent } from "@travel-booking/domain";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { systemClock } from "@travel-booking/runtime";
import { describeWith, startMongo } from "../../engines/index.ts";
import { openFresh } from "../mongodb/kit/fresh-database.ts";
import { useDouble } from "./kit/use-double.ts";

const server = useDouble();

interface Counted {
  events: number;
}

/** Counts the events of a stream, and how many of them it was given. */
class CountingDecider implements Decider<never, Counted, DomainEvent> {
  folded = 0;
  readonly snapshotVersion = 1;
  readonly initialState = () => ({ events: 0 });
  readonly decide = () => accept();
  readonly copy = (state: Counted) => ({ ...state });

  evolve(state: Counted) {
    this.folded += 1;
    state.events += 1;
    return state;
  }
}

describeWith({ mongo: startMongo }, "a snapshot in MongoDB, of a stream in EventStoreDB,", ({ mongo }) => {
  test("is used by the next process", async () => {
    const store = server.open();
    const connection = openFresh(mongo.url);
    const state = openMongoStateStore(connection);
    const stream = `counter-${randomUUID()}`;
    const readInNewProcess = async () => {
      const decider = new CountingDecider();
      const handler = new CommandHandler({ store, state, clock: systemClock });
      const events = await handler.readState({ stream, decider, reply: (counted: Counted) => counted.events });
      return { events, folded: decider.folded };
    };
    const manyEvents = Array.from({ length: 1_000 }, () => anEvent());
    await store.append(stream, NO_STREAM, manyEvents);
    expect(await readInNewProcess()).toStrictEqual({ events: 1_000, folded: 1_000 });
    while ((await state.get("stream-snapshots", stream)) === undefined) await setImmediate();
    await store.append(stream, 999, [anEvent()]);
    expect(await readInNewProcess()).toStrictEqual({ events: 1_001, folded: 1 });
    await state.close();
    await connection.close();
  });
});
