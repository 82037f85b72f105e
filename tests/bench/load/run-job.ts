import { closedLoop } from "./closed-loop.ts";
import { Connection } from "./connection.ts";
import type { LoadJob, LoadReport } from "./job.ts";
import { openLoop } from "./open-loop.ts";
import { requestsOf } from "./requests.ts";
import { Run } from "./run.ts";

/**
 * Runs one job to its end.
 * @throws Error on the first answer with another status than the expected one, and when a connection breaks.
 */
export async function runJob(job: LoadJob): Promise<LoadReport> {
  const run = new Run(requestsOf(job), job);
  const fail = (error: Error): void => run.fail(error);
  const connections = await Promise.all(Array.from({ length: job.connections }, () => Connection.open(job.port, fail)));
  try {
    if (job.known === true) await Promise.race([Promise.all(connections.map(introduce(run))), run.failed]);
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    const { pace, seconds } = job;
    const loop =
      pace.kind === "closed"
        ? closedLoop(connections, run, seconds)
        : openLoop(connections, run, { seconds, perSecond: pace.perSecond });
    await Promise.race([loop, run.failed]);
    const elapsed = (performance.now() - startedAt) / 1_000;
    const cpu = process.cpuUsage(cpuBefore);
    return run.report(elapsed, (cpu.user + cpu.system) / 1e6 / elapsed);
  } finally {
    for (const connection of connections) connection.close();
  }
}

function introduce(run: Run) {
  return (connection: Connection) =>
    new Promise<void>((resolve) => {
      const request = run.next();
      if (request === undefined) throw new Error("nothing left to ask for");
      connection.send(request, () => resolve());
    });
}
