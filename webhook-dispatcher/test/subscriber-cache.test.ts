import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { SubscriberCache } from "../src/fan-out/subscribers.ts";
import { FixtureReadModels } from "./kit/read-models.ts";

let models: FixtureReadModels;
let now: number;
let subscribers: SubscriberCache;

beforeEach(async () => {
  models = await FixtureReadModels.open();
  now = 0;
  subscribers = new SubscriberCache(models.store, () => now);
});
afterEach(() => models.close());

const register = (accountId: string, endpointId: string) =>
  models.endpoint({ accountId, endpointId, url: "https://receiver.example/", events: ["booking.confirmed"] });

async function idsOf(accountId: string): Promise<readonly string[]> {
  await subscribers.refresh();
  return (await subscribers.get(accountId)).map(({ endpointId }) => endpointId);
}

test("a new endpoint of any account is known after the next refresh", async () => {
  expect(await idsOf("acc_1")).toStrictEqual([]);
  await register("acc_1", "whe_1");
  expect(await idsOf("acc_1")).toStrictEqual(["whe_1"]);
  await register("acc_2", "whe_2");
  await register("acc_1", "whe_3");
  expect([await idsOf("acc_1"), await idsOf("acc_2")]).toStrictEqual([["whe_1", "whe_3"], ["whe_2"]]);
});

test("the deletion of the newest endpoint is seen at once, that of another after a minute at most", async () => {
  await register("acc_1", "whe_1");
  await register("acc_1", "whe_2");
  await register("acc_1", "whe_3");
  expect(await idsOf("acc_1")).toStrictEqual(["whe_1", "whe_2", "whe_3"]);
  await models.removeEndpoint("acc_1", "whe_1");
  now = 59_999;
  expect(await idsOf("acc_1")).toStrictEqual(["whe_1", "whe_2", "whe_3"]);
  now = 60_000;
  expect(await idsOf("acc_1")).toStrictEqual(["whe_2", "whe_3"]);
  await models.removeEndpoint("acc_1", "whe_3");
  expect(await idsOf("acc_1")).toStrictEqual(["whe_2"]);
});

test("the endpoints of an account are cached between refreshes", async () => {
  await register("acc_1", "whe_1");
  await subscribers.refresh();
  const first = await subscribers.get("acc_1");
  await register("acc_1", "whe_2");
  expect(await subscribers.get("acc_1")).toBe(first);
});
