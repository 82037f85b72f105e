import { type HasOperatorInterface, wholeStream } from "./whole-stream.ts";

/** Milliseconds of the service's clock for which a flight's only allocation was there before it was released. */
export async function msUntilReleased(service: HasOperatorInterface, flightId: string): Promise<number> {
  const events = await wholeStream<{ readonly type: string; readonly at: string }>(service, `flight-${flightId}`);
  const timeOf = (type: string) => Date.parse(events.find((event) => event.type === type)?.at ?? "");
  return timeOf("AllocationReleased") - timeOf("SeatsAllocated");
}
