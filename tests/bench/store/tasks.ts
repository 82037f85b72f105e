/** Appends for so long, with so many clients that each wait for their last append. */
export interface AppendTask {
  /** An empty folder. */
  readonly folder: string;
  readonly seconds: number;
  readonly inFlight: number;
}

export interface TaskResult {
  readonly events: number;
  readonly seconds: number;
}

/** Times a piece of work. */
export async function timed(work: () => Promise<number>): Promise<TaskResult> {
  const startedAt = performance.now();
  const events = await work();
  return { events, seconds: (performance.now() - startedAt) / 1_000 };
}

/** So many clients at once, each doing the next thing when its last is done, for so long. Answers how often. */
export async function repeatFor(
  { seconds, inFlight }: { readonly seconds: number; readonly inFlight: number },
  once: (client: number) => Promise<void>,
): Promise<number> {
  const deadline = performance.now() + seconds * 1_000;
  let times = 0;
  const work = async (_: unknown, client: number): Promise<void> => {
    while (performance.now() < deadline) {
      await once(client);
      times += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return times;
}
