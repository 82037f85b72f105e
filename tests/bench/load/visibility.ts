import { setTimeout as delay } from "node:timers/promises";
import { serveTasks } from "../children/serve-tasks.ts";
import { Connection } from "./connection.ts";
import type { Latency, RequestTemplate } from "./job.ts";
import { Latencies } from "./latencies.ts";
import { serializeRequest } from "./requests.ts";
import type { RawResponse } from "./response-reader.ts";

interface WrittenAndRead {
  /** Creates something; its answer is a 201 with an `id`. */
  readonly write: RequestTemplate;
  /** Reads it back under another credential: the id goes behind the path. 404 until it is visible. */
  readonly read: RequestTemplate;
}

export interface VisibilityTask {
  readonly port: number;
  /** In turn. */
  readonly requests: readonly WrittenAndRead[];
  readonly probes: number;
  readonly seconds: number;
}

export interface VisibilityReport {
  readonly samples: number;
  readonly latency: Latency;
}

const POLL_MILLISECONDS = 2;

async function probe(task: VisibilityTask, latencies: Latencies): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const connection = await Connection.open(task.port, reject);
  const ask = (message: RequestTemplate): Promise<RawResponse> => {
    const answered = new Promise<RawResponse>((resolve) =>
      connection.send(serializeRequest(message, task.port), resolve),
    );
    return Promise.race([answered, failed]);
  };
  const deadline = performance.now() + task.seconds * 1_000;
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    const { write, read: template } = task.requests[turn % task.requests.length] as WrittenAndRead;
    const written = await ask(write);
    const writtenAt = performance.now();
    if (written.status !== 201) throw new Error(`status ${written.status} instead of 201: ${written.body}`);
    const { id } = JSON.parse(written.body.toString()) as { id: string };
    const read = { ...template, path: `${template.path}${id}` };
    for (let answer = await ask(read); answer.status !== 200; answer = await ask(read)) {
      if (answer.status !== 404) throw new Error(`status ${answer.status} instead of 200 or 404: ${answer.body}`);
      await delay(POLL_MILLISECONDS);
    }
    latencies.add(performance.now() - writtenAt);
  }
  connection.close();
}

/** How long what was acknowledged stays invisible to others. */
serveTasks(async (task: VisibilityTask): Promise<VisibilityReport> => {
  const latencies = new Latencies();
  await Promise.all(Array.from({ length: task.probes }, () => probe(task, latencies)));
  return { samples: latencies.count, latency: latencies.summary() };
});
