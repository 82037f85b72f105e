import { EVENTS, ownedKey, TEST_EVENTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";

type Dependencies = Pick<QueryDependencies, "models" | "testEvents" | "clock">;

/** An event of an account, or one that was made to try an endpoint and is not over yet; undefined where there is none. */
export async function findEvent(
  { models, testEvents, clock }: Dependencies,
  accountId: string,
  id: string,
): Promise<Uint8Array | undefined> {
  const key = ownedKey(accountId, id);
  const body = await models.body(EVENTS.event.model, key);
  if (body !== undefined) return body.json;
  const record = await testEvents.get<string>(TEST_EVENTS.space, key);
  const isOver = record !== undefined && record.expiresAt !== null && record.expiresAt <= clock.now();
  return record === undefined || isOver ? undefined : Buffer.from(record.value);
}
