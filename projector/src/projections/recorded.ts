import type { DomainEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";

/** An event of a known aggregate as the log holds it. */
export type Recorded<Event extends DomainEvent> = Omit<RecordedEvent, "type" | "at" | "data"> & Event;

/** The log's own event, typed by the aggregate its stream belongs to. */
export function recorded<Event extends DomainEvent>(event: RecordedEvent): Recorded<Event> {
  return event as RecordedEvent & Event;
}

/** The id in a stream's name: what stands behind the first `-`. */
export function aggregateIdOf({ stream }: Pick<RecordedEvent, "stream">): string {
  return stream.slice(stream.indexOf("-") + 1);
}
