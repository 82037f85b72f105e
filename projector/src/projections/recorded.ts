import type { DomainEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/event-store";

/** An event of a known aggregate as the log holds it. */
export type Recorded<Event extends DomainEvent> = Omit<RecordedEvent, "type" | "at" | "data"> & Event;
