import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { backup, DataFolderFull, openEnvironment, rewriteEnvironment } from "../../src/lmdb/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const MANY = 3_000;
const onFatal = (error: Error) => expect(error).toBeUndefined();
const secretOf = () => randomBytes(32).toString("base64url");
/** Neighbours in time are none in the order of keys. */
const subjectOf = (index: number) => `subject-${(index * 7_919) % MANY}`;

function openStore(path: string) {
  const environment = openEnvironment({ path, maxDbs: LMDB_STATE_STORE_DATABASES });
  return { environment, store: openLmdbStateStore(environment, { onFatal }) };
}

test("nothing is left of what was removed or replaced, and everything else is there", async () => {
  const path = temporaryFolder();
  let { environment, store } = openStore(path);
  const secrets = Array.from({ length: MANY }, secretOf);
  for (const [index, secret] of secrets.entries()) {
    const put = store.put("keys", subjectOf(index), { secret }, { expiresAt: index });
    if (index % 100 === 0) await put;
  }
  const erased = secrets.filter((_, index) => index % 3 === 0);
  for (const [index] of secrets.entries()) {
    if (index % 6 === 0) await store.put("keys", subjectOf(index), { erased: true });
    else if (index % 3 === 0) await store.remove("keys", subjectOf(index));
  }
  const kept = await store.list("keys", { limit: MANY });
  const leftIn = () => {
    const bytes = readFileSync(join(path, "data.mdb"));
    return erased.filter((secret) => bytes.includes(secret)).length;
  };
  // It is there for whoever looks for it.
  expect(leftIn()).toBeGreaterThan(0);
  // Of one that was killed half way.
  mkdirSync(join(path, "rewriting"));
  writeFileSync(join(path, "rewriting", "data.mdb"), randomBytes(8_192));
  await store.rewrite();
  expect(leftIn()).toBe(0);
  expect(readdirSync(path)).not.toContain("rewriting");
  expect(await store.list("keys", { limit: MANY })).toStrictEqual(kept);
  await store.close();
  await environment.close();
  ({ environment, store } = openStore(path));
  expect(await store.list("keys", { limit: MANY })).toStrictEqual(kept);
  // Those with an expiry that are left.
  expect(await store.removeExpired(MANY, MANY)).toBe((MANY / 3) * 2);
  await store.close();
  await environment.close();
});

test("what is written and read meanwhile is in no way different, and nothing of it is lost", async () => {
  const path = temporaryFolder();
  let { environment, store } = openStore(path);
  await Promise.all(Array.from({ length: MANY }, (_, index) => store.put("keys", subjectOf(index), { round: 0 })));
  const rewritings = Array.from({ length: 3 }, () => store.rewrite());
  let done = false;
  const rewritten = Promise.all(rewritings).then(async () => {
    await store.rewrite();
    done = true;
  });
  const expected = new Map<string, number>(Array.from({ length: MANY }, (_, index) => [subjectOf(index), 0]));
  let round = 0;
  do {
    round += 1;
    for (let index = round % 7; index < MANY; index += 7) {
      const subject = subjectOf(index);
      const remove = (index + round) % 5 === 0;
      if (remove) expected.delete(subject);
      else expected.set(subject, round);
      const write = remove
        ? store.remove("keys", subject)
        : store.put("keys", subject, { round }, { expiresAt: round });
      if (index % 50 !== 0) continue;
      await write;
      const record = await store.get<{ round: number }>("keys", subject);
      expect(record?.value.round).toBe(expected.get(subject));
    }
  } while (!done);
  await rewritten;
  const inStore = async () => {
    const records = await store.list<{ round: number }>("keys", { limit: MANY });
    return new Map(records.map(({ key, value }) => [key, value.round]));
  };
  await store.put("others", "last", {});
  expect(await inStore()).toStrictEqual(new Map([...expected].sort()));
  await store.close();
  await environment.close();
  ({ environment, store } = openStore(path));
  expect(await inStore()).toStrictEqual(new Map([...expected].sort()));
  expect(await store.removeExpired(round, MANY)).toBe([...expected.values()].filter((each) => each > 0).length);
  await store.close();
  await environment.close();
});

test("those who ask before it begins share it, and a backup is not disturbed", async () => {
  const path = temporaryFolder();
  const { environment, store } = openStore(path);
  await store.put("keys", "one", { secret: 1 });
  const copying = backup(environment, join(path, "copy"));
  const first = store.rewrite();
  expect(store.rewrite()).toBe(first);
  await copying;
  await first;
  const second = store.rewrite();
  expect(second).not.toBe(first);
  await second;
  await store.close();
  await environment.close();
  const copy = openStore(join(path, "copy"));
  expect(await copy.store.get("keys", "one")).toMatchObject({ value: { secret: 1 } });
  await copy.store.close();
  await copy.environment.close();
});

test("where it can't be written, the store goes on with what it has", async () => {
  const path = temporaryFolder();
  const { environment, store } = openStore(path);
  await store.put("keys", "one", { secret: 1 });
  const noRoom = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const copy = () => Promise.reject(noRoom);
  await expect(rewriteEnvironment(environment, { copy })).rejects.toBeInstanceOf(DataFolderFull);
  expect(readdirSync(path)).not.toContain("rewriting");
  await store.put("keys", "two", { secret: 2 });
  await store.rewrite();
  expect((await store.list("keys", { limit: 10 })).map(({ key }) => key)).toStrictEqual(["one", "two"]);
  await store.close();
  await environment.close();
});
