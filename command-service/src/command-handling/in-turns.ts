import { setImmediate } from "node:timers/promises";
import type { RecordedEvent } from "@travel-booking/engines/event-store";

/** Takes a few milliseconds if words of events are opened, which is the most expensive work on many events. */
const EVENTS_IN_ONE_TURN = 250;
/** As many sealed characters take as long: only texts of people make an event large. */
const SEALED_IN_ONE_TURN = 262_144;

/** Yields the events in parts, many or large ones in several turns of the event loop, so that others get turns between. */
export async function* inTurns(events: readonly RecordedEvent[]): AsyncGenerator<readonly RecordedEvent[]> {
  let [some, sealed]: [RecordedEvent[], number] = [[], 0];
  for (const event of events) {
    if (some.length === EVENTS_IN_ONE_TURN || sealed >= SEALED_IN_ONE_TURN) {
      yield some;
      await setImmediate();
      [some, sealed] = [[], 0];
    }
    some.push(event);
    sealed += event.sealed?.length ?? 0;
  }
  if (some.length > 0) yield some;
}
