import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";
import type { OperatorServices } from "./operator-services.ts";

/** `stream show`. */
export function streamRoutes({ store }: OperatorServices): readonly OperatorRoute[] {
  return [
    {
      method: "GET",
      path: "/operator/streams/:stream",
      async handle(request) {
        const events = await store.readStream(request.params.stream ?? "");
        if (events.length === 0) throw new OperatorError(404, "no stream with this name");
        return { lines: asLines(events) };
      },
    },
  ];
}

/** Positions leave as text: they may be larger than a JSON number holds exactly. */
async function* asLines(events: readonly RecordedEvent[]): AsyncIterable<unknown> {
  for (const event of events) {
    yield { ...event, at: new Date(event.at).toISOString(), position: String(event.position) };
  }
}
