import type { MessagePort, Worker } from "node:worker_threads";
import type { ThreadPort } from "@travel-booking/projector";

/** One end of the line between the two threads, as the projector knows it. */
export function portOf(end: Worker | MessagePort): ThreadPort {
  return {
    postMessage: (message) => end.postMessage(message),
    on: (event, listener) => end.on(event, listener as (message: unknown) => void),
  };
}
