import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TaskAnswer } from "./serve-tasks.ts";

/** A child process of the bench, on the same Node. It gets tasks and answers each; it ends when the bench ends. */
export class Child<Task, Result> {
  readonly #process: ChildProcess;

  constructor(script: URL) {
    this.#process = fork(script, {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      env: { ...process.env, NODE_ENV: "production" },
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /**
   * One task at a time.
   * @throws Error what went wrong in the child, or that it died.
   */
  async run(task: Task): Promise<Result> {
    const gone = new AbortController();
    const died = once(this.#process, "exit", { signal: gone.signal }).then(([code]): never => {
      throw new Error(`${this.#process.spawnargs.at(-1)} ended with code ${code}`);
    });
    const answered = once(this.#process, "message", { signal: gone.signal });
    died.catch(() => {});
    answered.catch(() => {});
    this.#process.send(task as object);
    try {
      const [answer] = (await Promise.race([answered, died])) as [TaskAnswer<Result>];
      if ("error" in answer) throw new Error(answer.error);
      return answer.result;
    } finally {
      gone.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.disconnect();
    await exited;
  }
}

/** A child that works one task and is stopped: nothing it warmed up or cached reaches the next. */
export async function runOnce<Task, Result>(script: URL, task: Task): Promise<Result> {
  const child = new Child<Task, Result>(script);
  try {
    return await child.run(task);
  } finally {
    await child.stop();
  }
}
