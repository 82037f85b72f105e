import type { Connection } from "./connection.ts";
import type { Run } from "./run.ts";

/** Keeps every connection busy until the time is up or nothing is left to ask for; then waits for the last answers. */
export function closedLoop(connections: readonly Connection[], run: Run, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  let busy = connections.length;
  let sent = 0;
  return new Promise((resolve) => {
    const next = (connection: Connection): void => {
      const startedAt = performance.now();
      const request = startedAt < deadline ? run.next() : undefined;
      if (request === undefined) {
        busy -= 1;
        if (busy === 0) resolve();
        return;
      }
      const number = sent++;
      connection.send(request, (answer) => {
        run.record(answer, performance.now() - startedAt, number);
        next(connection);
      });
    };
    connections.forEach(next);
  });
}
