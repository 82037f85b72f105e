import type { OperatorClientResponse } from "./operator-caller.ts";

export interface HasOperatorInterface {
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
}

/** All events of a stream, oldest first, which the operator interface shows a page at a time. Empty: there is none. */
export async function wholeStream<Event>(service: HasOperatorInterface, stream: string): Promise<readonly Event[]> {
  const events: (Event & { readonly revision: number })[] = [];
  for (let before = ""; ; before = `?before=${events[0]?.revision}`) {
    const { status, body } = await service.operator("GET", `/streams/${stream}${before}`);
    if (status !== 200) return events;
    events.unshift(...(body as typeof events));
    if (events[0]?.revision === 0) return events;
  }
}
