const ANSWERS_WITHIN_MS = 5_000;

/** Whether a server of this url answers a read that needs the leader: others it answers before it can be used. Its failures are not told: they may hold the url, and a password. */
export async function isReady(url: string): Promise<boolean> {
  const { BACKWARDS, END, EventStoreDBClient } = await import("@eventstore/db-client");
  try {
    const client = EventStoreDBClient.connectionString(url);
    try {
      const last = client.readAll({
        direction: BACKWARDS,
        fromPosition: END,
        maxCount: 1,
        requiresLeader: true,
        deadline: ANSWERS_WITHIN_MS,
      });
      for await (const _ of last) break;
      return true;
    } finally {
      await client.dispose();
    }
  } catch {
    return false;
  }
}
