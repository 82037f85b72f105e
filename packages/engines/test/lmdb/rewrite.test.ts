import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { openEnvironment, rewriteEnvironment } from "../../src/lmdb/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("nothing is left of what was removed, and everything else is there", async () => {
  const path = temporaryFolder();
  const open = () => openEnvironment({ path, maxDbs: LMDB_STATE_STORE_DATABASES });
  let environment = open();
  const store = openLmdbStateStore(environment, { onFatal: (error) => expect(error).toBeUndefined() });
  const secrets = Array.from({ length: 3_000 }, () => randomBytes(32).toString("base64url"));
  for (const [index, secret] of secrets.entries()) {
    const put = store.put("keys", `subject-${(index * 7_919) % 3_000}`, { secret });
    if (index % 100 === 0) await put;
  }
  const erased = secrets.filter((_, index) => index % 3 === 0);
  for (const [index] of secrets.entries()) {
    if (index % 3 === 0) await store.put("keys", `subject-${(index * 7_919) % 3_000}`, { erased: true });
  }
  const kept = await store.list("keys", { limit: 10_000 });
  await store.close();
  await environment.close();
  const leftIn = () => {
    const bytes = readFileSync(join(path, "data.mdb"));
    return erased.filter((secret) => bytes.includes(secret)).length;
  };
  // It is there for whoever looks for it.
  expect(leftIn()).toBeGreaterThan(0);
  // Of one that was killed half way.
  mkdirSync(join(path, "rewriting"));
  writeFileSync(join(path, "rewriting", "data.mdb"), randomBytes(8_192));
  await rewriteEnvironment(path, LMDB_STATE_STORE_DATABASES);
  expect(leftIn()).toBe(0);
  expect(readdirSync(path)).not.toContain("rewriting");
  environment = open();
  const again = openLmdbStateStore(environment, { onFatal: (error) => expect(error).toBeUndefined() });
  expect(await again.list("keys", { limit: 10_000 })).toStrictEqual(kept);
  await again.close();
  await environment.close();
});
