import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "mongodb";
import { fieldOf } from "../processes/field-of.ts";

const ALREADY_INITIALIZED = 23;
const LOOK_AGAIN_MS = 50;
const PRIMARY_WITHIN_MS = 60_000;

/** Makes a server a replica set of itself, unless it is one, and waits until it takes writes. */
export async function becomePrimary(admin: Db): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: "127.0.0.1:27017" }] } });
  } catch (failure) {
    if (fieldOf(failure, "code") !== ALREADY_INITIALIZED) throw failure;
  }
  const giveUpAt = performance.now() + PRIMARY_WITHIN_MS;
  while ((await admin.command({ hello: 1 })).isWritablePrimary !== true) {
    if (performance.now() > giveUpAt) throw new Error("it did not become primary");
    await pause(LOOK_AGAIN_MS);
  }
}
