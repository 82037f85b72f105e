import type { BookingEvent, FlightEvent } from "@travel-booking/domain";

/** The types of events that show how business goes. */
const COUNTED = [
  "SeatsHeld",
  "SeatHoldReleased",
  "SeatHoldExpired",
  "BookingCreated",
  "BookingConfirmed",
  "BookingCancelled",
  "PaymentStarted",
  "PaymentSucceeded",
  "PaymentFailed",
  "RefundStarted",
  "RefundSucceeded",
  "RefundFailed",
  "PaymentDisputed",
  "DocumentUploaded",
] as const satisfies readonly (BookingEvent | FlightEvent)["type"][];

/** How often an event of each counted type was stored since the start, by this instance. */
export class EventCounts {
  readonly #counts = new Map<string, number>(COUNTED.map((type) => [type, 0]));

  add(events: readonly { readonly type: string }[]): void {
    for (const { type } of events) {
      const count = this.#counts.get(type);
      if (count !== undefined) this.#counts.set(type, count + 1);
    }
  }

  /** Types with their counts. */
  entries(): readonly (readonly [type: string, count: number])[] {
    return [...this.#counts];
  }
}
