import { setTimeout as delay } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { Run } from "./run.ts";

/**
 * Starts requests at a constant rate. Latency counts from the moment a request was due, not from when a connection
 * became free for it, so a server that stalls can't hide the requests it kept from being sent. Between two milliseconds
 * it sleeps: a generator that spins takes a core from what it measures.
 */
export async function openLoop(
  connections: readonly Connection[],
  run: Run,
  options: { readonly seconds: number; readonly perSecond: number },
): Promise<void> {
  const total = Math.floor(options.seconds * options.perSecond);
  const interval = 1_000 / options.perSecond;
  const startedAt = performance.now();
  const free = [...connections];
  let started = 0;
  let answered = 0;

  const dispatch = (): void => {
    while (started < total && free.length > 0 && startedAt + started * interval <= performance.now()) {
      const dueAt = startedAt + started * interval;
      const request = run.next();
      const connection = free.pop();
      if (request === undefined || connection === undefined) throw new Error("nothing left to ask for at a fixed rate");
      const number = started++;
      connection.send(request, (answer) => {
        run.record(answer, performance.now() - dueAt, number);
        answered += 1;
        free.push(connection);
        dispatch();
      });
    }
  };

  while (answered < total) {
    run.throwIfFailed();
    dispatch();
    await delay(1);
  }
}
