import type { IncomingHttpHeaders } from "node:http";

/** What tests look at of an event. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string; readonly bookingId?: string } };
}

/** A delivery that came in. */
export interface ReceivedDelivery {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ReceivedEvent;
}

/** The booking an event is about, which may be about its payment. */
export function bookingOf({ data: { object } }: ReceivedEvent): string {
  return object.bookingId ?? object.id;
}

/** Without those that came before. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
