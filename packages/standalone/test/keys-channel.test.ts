import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { KeysOverPort, serveKeys } from "../src/keys-channel.ts";

const ACCOUNT = `acc_${"a".repeat(32)}`;

let channel: MessageChannel;
let keys: InMemoryStateStore;
let forget: () => void;
let other: KeysOverPort;
beforeEach(() => {
  channel = new MessageChannel();
  keys = new InMemoryStateStore();
  forget = serveKeys(channel.port1, keys);
  other = new KeysOverPort(channel.port2);
  // The test waits for them.
  channel.port1.ref();
  channel.port2.ref();
});
afterEach(() => channel.port1.close());

test("another thread finds the keys that this one makes, and forgets those that this one erases", async () => {
  const words = new SealedWords({ state: keys, secretKey: "secret", shared: false });
  const elsewhere = new SealedWords({ state: other, secretKey: "secret", shared: false });
  words.keys.onErased = forget;
  const forgotten = new Promise<void>((resolve) => {
    other.onForget = () => {
      elsewhere.keys.forget();
      resolve();
    };
  });
  const [key, ofBooking] = [
    await words.keys.findOrCreate(ACCOUNT, ACCOUNT, true),
    await words.keys.pages.next(ACCOUNT),
  ];
  expect(await elsewhere.find(ACCOUNT)).toStrictEqual(key);
  expect((await elsewhere.find(ofBooking?.id ?? ""))?.key).toBe(ofBooking?.key);
  await words.keys.erase(ACCOUNT);
  await forgotten;
  expect([await elsewhere.find(ACCOUNT), await elsewhere.find(ofBooking?.id ?? "")]).toStrictEqual([null, null]);
});

test("makes no keys there", async () => {
  const elsewhere = new SealedWords({ state: other, secretKey: "secret", shared: false });
  await expect(elsewhere.keys.findOrCreate(ACCOUNT, ACCOUNT, true)).rejects.toThrow(
    "only the request thread makes keys",
  );
});

test("that the store is out of reach is known there, too", async () => {
  keys.get = () => Promise.reject(new StateStoreUnavailable("away", { outcomeUnknown: false }));
  await expect(other.get("space", "key")).rejects.toMatchObject({ name: StateStoreUnavailable.name, message: "away" });
});
