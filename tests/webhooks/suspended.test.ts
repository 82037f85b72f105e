import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { World } from "./kit/world.ts";

const DAY = 86_400;

let world: World;
let receiver: Receiver;

beforeAll(async () => {
  world = await World.open();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await world.close();
  await receiver.stop();
});

test("what expires while an account is suspended is sent when it is active again, but to no endpoint that an operator deletes", async () => {
  const kept = await world.endpoint(receiver.url, ["booking.cancelled"]);
  const deleted = await world.endpoint(`${receiver.url}deleted`, ["booking.cancelled"]);
  const bookingId = await world.book();
  const where = { DATA_DIR: world.service.dataDir };
  const rows = () => operatorJson<readonly Readonly<Record<string, unknown>>[]>(where, "webhook", "endpoints");
  const [{ accountId }] = (await rows()) as [{ accountId: string }];
  const change = (verb: string) => operatorJson(where, "account", verb, accountId);

  await change("suspend");
  await world.advance(2 * DAY);
  expect(receiver.received).toHaveLength(0);
  const suspended = { status: "suspended", reason: "the account is suspended", owed: 1 };
  expect((await rows()).map(({ status, reason, owed }) => ({ status, reason, owed }))).toStrictEqual([
    suspended,
    suspended,
  ]);
  expect(await operatorJson(where, "webhook", "delete", deleted.id)).toStrictEqual({
    id: deleted.id,
    accountId,
    status: "deleted",
  });
  expect((await operatorCli(where, "webhook", "delete", deleted.id)).code).toBe(1);

  await change("resume");
  await world.advance(DAY);
  expect(receiver.received.map(({ event }) => [event.type, event.data.object.id])).toStrictEqual([
    ["booking.cancelled", bookingId],
  ]);
  expect((await rows()).map(({ id, owed }) => [id, owed])).toStrictEqual([[kept.id, 0]]);
});
