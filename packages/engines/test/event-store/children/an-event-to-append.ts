import { randomUUID } from "node:crypto";
import type { EventToAppend } from "../../../src/event-store/index.ts";

export function anEventToAppend(data: unknown = { text: "x".repeat(200) }): EventToAppend {
  const commandId = randomUUID();
  const actor = { kind: "system", id: "test" } as const;
  const metadata = { accountId: null, actor, requestId: null, commandId, causationId: null };
  return { id: randomUUID(), type: "SomethingHappened", version: 1, at: 1_793_491_200_000, data, metadata };
}
