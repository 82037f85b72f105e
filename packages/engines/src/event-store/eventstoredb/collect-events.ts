import type { StreamingRead } from "@eventstore/db-client";
import { storeClosed } from "./unavailable.ts";

/** How long a read may take, and when it is of no use any more. */
export interface ReadDeadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * All that a read of the client gives; the client itself would wait for it for ever. One that is given up is still read
 * to its end: the client never gets rid of a call whose answers nobody takes. Nor do its listeners go: there may be
 * errors when nobody waits any more.
 */
export async function collectEvents<Event>(
  read: StreamingRead<Event>,
  { timeoutMs, signal }: ReadDeadline,
): Promise<Event[]> {
  const events: Event[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Event[]>();
  read.on("data", (event) => events.push(event));
  read.on("end", () => resolve(events));
  read.on("error", reject);
  const timer = setTimeout(() => reject(new Error(`no answer to a read within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = () => reject(storeClosed());
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await promise;
  } catch (error) {
    read.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
