import type { OperatorClientResponse } from "./operator-caller.ts";

interface HasOperatorInterface {
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
}

/** Milliseconds of the service's clock for which a flight's only allocation was there before it was released. */
export async function msUntilReleased(service: HasOperatorInterface, flightId: string): Promise<number> {
  const { body } = await service.operator("GET", `/streams/flight-${flightId}`);
  const events = body as readonly { readonly type: string; readonly at: string }[];
  const timeOf = (type: string) => Date.parse(events.find((event) => event.type === type)?.at ?? "");
  return timeOf("AllocationReleased") - timeOf("SeatsAllocated");
}
