import type { StreamingRead } from "@eventstore/db-client";
import { closed } from "./unavailable.ts";

/** How long a read may take, and when it is of no use any more. */
export interface Patience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** All that a read of the client gives; the client itself would wait for it for ever. */
export async function collect<Event>(read: StreamingRead<Event>, { timeoutMs, signal }: Patience): Promise<Event[]> {
  // The client may tell of an error when nobody waits for the read any more.
  read.on("error", () => undefined);
  const end = (error: Error) => read.destroy(error);
  const onAbort = () => end(closed());
  const timer = setTimeout(() => end(new Error(`no answer to a read within ${timeoutMs} ms`)), timeoutMs);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  const events: Event[] = [];
  try {
    for await (const event of read) events.push(event);
    return events;
  } catch (error) {
    // Else the call would stay open behind the stream that is given up.
    read.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
