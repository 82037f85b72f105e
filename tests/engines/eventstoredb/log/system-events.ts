import { randomUUID } from "node:crypto";
import type { Log } from "./log.ts";
import { isSystem, METADATA, metastreamOf, type ProposedEvent, type StoredEvent } from "./stored-event.ts";

/** What a real server has in `$all` before anybody has appended. */
export async function writeFirstSystemEvents(log: Log): Promise<void> {
  await log.append(metastreamOf("$users"), [systemEvent(METADATA, { $acl: { $r: "$admins" } })]);
  await log.append("$users", [systemEvent("$User", "admin"), systemEvent("$User", "ops")]);
  // An ordinary type in a system stream: a filter by type lets it through.
  await log.append("$maintenance", [systemEvent("Started", {})]);
}

/** As the statistics that a real server writes from time to time. */
export async function writeStatistics(log: Log, count: number): Promise<void> {
  const statistics = Array.from({ length: count }, (_, index) => systemEvent("$statsCollected", { index }));
  for (let at = 0; at < count; at += 1_000) {
    await log.append("$stats-127.0.0.1:2113", statistics.slice(at, at + 1_000));
  }
}

/** Writes a link to each event that comes in to the stream of its category, behind it. */
export function linkToCategory(log: Log): void {
  let next = log.events.length;
  const link = () => {
    const added = log.events.slice(next);
    next = log.events.length;
    for (const event of added) {
      const [category, name] = event.stream.split("-", 2);
      if (name === undefined || isSystem(event.stream)) continue;
      void log.append(`$ce-${category}`, [linkTo(event)]);
    }
  };
  log.onGrowth(link, new AbortController().signal);
}

export function systemEvent(type: string, body: unknown): ProposedEvent {
  const data = Buffer.from(JSON.stringify(body));
  return { id: randomUUID(), type, contentType: "application/json", data, metadata: new Uint8Array() };
}

function linkTo({ stream, revision }: StoredEvent): ProposedEvent {
  const data = Buffer.from(`${revision}@${stream}`);
  return { id: randomUUID(), type: "$>", contentType: "application/octet-stream", data, metadata: new Uint8Array() };
}
