/** What a child process answers with. */
export type TaskAnswer<Result> = { readonly result: Result } | { readonly error: string };

/** Runs in a child: works one task after another as they come in, and ends with the parent. */
export function serveTasks<Task, Result>(work: (task: Task) => Promise<Result>): void {
  let last: Promise<void> = Promise.resolve();
  process.on("message", (task: Task) => {
    last = last.then(async () => {
      const answer: TaskAnswer<Result> = await work(task).then(
        (result) => ({ result }),
        (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
      process.send?.(answer);
    });
  });
  process.on("disconnect", () => process.exit(0));
}
