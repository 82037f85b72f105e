import { randomUUID } from "node:crypto";
import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { afterEach, expect, test } from "@jest/globals";
import { describeWith, startEventStore } from "../index.ts";
import { requireEngine } from "./kit/require-engine.ts";
import { isListening, remainingTraces, tracesOf } from "./kit/traces.ts";

const environment = process.env.TEST_EVENT_STORE_URL;
afterEach(() => {
  if (environment === undefined) delete process.env.TEST_EVENT_STORE_URL;
  else process.env.TEST_EVENT_STORE_URL = environment;
});

async function withClient<Result>(url: string, use: (client: EventStoreDBClient) => Promise<Result>): Promise<Result> {
  const client = EventStoreDBClient.connectionString(url);
  try {
    return await use(client);
  } finally {
    await client.dispose();
  }
}

const append = (stream: string) => (client: EventStoreDBClient) =>
  client.appendToStream(stream, jsonEvent({ type: "happened", data: { number: 1 } }));

const typesIn = (stream: string) => async (client: EventStoreDBClient) => {
  const types: string[] = [];
  for await (const { event } of client.readStream(stream)) types.push(event?.type ?? "");
  return types;
};

describeWith({ store: startEventStore.with({ killable: true }) }, "event store", ({ store }) => {
  test("answers its client", async () => {
    const stream = `test-${randomUUID()}`;
    await withClient(store.url, append(stream));
    expect(await withClient(store.url, typesIn(stream))).toStrictEqual(["happened"]);
  });

  test("is gone once killed, and has its events at the same url once restarted", async () => {
    const { url } = store;
    const stream = `test-${randomUUID()}`;
    await withClient(url, append(stream));
    await store.kill();
    expect(await isListening(Number(new URL(url).port))).toBe(false);
    await store.restart();
    expect(store.url).toBe(url);
    expect(await withClient(url, typesIn(stream))).toStrictEqual(["happened"]);
  });

  test("is lent where the environment names one, and not killed or ended then", async () => {
    process.env.TEST_EVENT_STORE_URL = store.url;
    const given = requireEngine(await startEventStore());
    expect(given.url).toBe(store.url);
    await expect(given.kill()).rejects.toThrow("the server of TEST_EVENT_STORE_URL is not ours to kill");
    await given.stop();
    const stream = `test-${randomUUID()}`;
    await withClient(store.url, append(stream));
  });
});

test("an event store that does not answer is unavailable, and its password is not told", async () => {
  process.env.TEST_EVENT_STORE_URL = "esdb://user:secret@127.0.0.1:1?tls=false";
  expect(await startEventStore()).toStrictEqual({
    unavailable: "event store: server of TEST_EVENT_STORE_URL: it does not answer",
  });
});

test("nothing is left of one that is stopped", async () => {
  const store = requireEngine(await startEventStore({ killable: true }));
  const traces = tracesOf(store.url);
  await store.stop();
  expect(await remainingTraces(traces)).toStrictEqual([]);
});
