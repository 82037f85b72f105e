import type { EventStore } from "@travel-booking/engines/event-store";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { serveTasks } from "../children/serve-tasks.ts";
import type { Append } from "../data/journal.ts";
import { type Contents, Population, type PopulationSize } from "../data/population.ts";
import { withEventLog } from "./event-log.ts";

/** Fills the log in an empty folder. */
export interface FillTask extends PopulationSize {
  readonly folder: string;
  /** Of an EventStoreDB that the log is on instead. */
  readonly url?: string | undefined;
}

export interface Filled {
  readonly events: number;
  /** Of those, in streams of bookings. */
  readonly bookingEvents: number;
  readonly contents: Contents;
}

/** Appended before the first of them is waited for: they share a flush. */
const AT_ONCE = 10_000;

serveTasks(({ folder, url, ...size }: FillTask): Promise<Filled> => {
  const withLog = (work: (store: EventStore) => Promise<Filled>) =>
    url === undefined ? withEventLog(folder, work) : withServer(url, work);
  return withLog(async (store) => {
    const population = new Population(size, Date.now());
    let events = 0;
    let bookingEvents = 0;
    for (const group of groups(population.appends())) {
      await Promise.all(group.map((append) => store.append(append.stream, append.expectedRevision, append.events)));
      for (const append of group) {
        events += append.events.length;
        if (append.stream.startsWith("booking-")) bookingEvents += append.events.length;
      }
    }
    return { events, bookingEvents, contents: population.contents() };
  });
});

async function withServer(url: string, work: (store: EventStore) => Promise<Filled>): Promise<Filled> {
  const store = openEventStoreDb(url, { appendTimeoutMs: 60_000 });
  return work(store).finally(() => store.close());
}

function* groups(appends: Iterable<Append>): Generator<readonly Append[]> {
  let group: Append[] = [];
  for (const append of appends) {
    group.push(append);
    if (group.length < AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
