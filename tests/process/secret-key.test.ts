import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { expectStartFailure } from "./kit/expect-start-failure.ts";

const folder = temporaryFolders();
const services: Service[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
});

const ONE = { SECRET_KEY: "one-secret-key-of-forty-visible-characters" };
const OTHER = { SECRET_KEY: "other-secret-key-of-forty-visible-characters" };
const WRONG_KEY = /^SECRET_KEY is not the one that what is stored was sealed under: start with that one /;

async function startAndStop(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const service = Service.spawn({ dataDir, env });
  services.push(service);
  await service.ready();
  await service.kill();
}

test("the key that was made at the first start is needed as well", async () => {
  const dataDir = folder();
  await startAndStop(dataDir);
  const file = join(dataDir, "secret-key");
  const kept = readFileSync(file, "utf8");
  expect(await expectStartFailure({ dataDir, env: OTHER })).toMatch(WRONG_KEY);
  writeFileSync(file, `${OTHER.SECRET_KEY}\n`);
  expect(await expectStartFailure({ dataDir })).toMatch(/if it is lost, start once with SECRET_KEY_IS_NEW=true/);
  writeFileSync(file, kept);
  await startAndStop(dataDir);
});

test("a service does not start on what was stored under another key, unless that is said to be new, for good", async () => {
  const dataDir = folder();
  await startAndStop(dataDir, ONE);
  expect(await expectStartFailure({ dataDir, env: OTHER })).toMatch(WRONG_KEY);
  await startAndStop(dataDir, { ...OTHER, SECRET_KEY_IS_NEW: "true" });
  await startAndStop(dataDir, OTHER);
  expect(await expectStartFailure({ dataDir, env: ONE })).toMatch(WRONG_KEY);
});

test("a copy that came without its key starts with one that is made, and says what that means", async () => {
  const dataDir = folder();
  await startAndStop(dataDir);
  rmSync(join(dataDir, "secret-key"));
  const service = await Service.start({ dataDir });
  services.push(service);
  expect(service.stderr).toContain("webhook endpoints made before have to be created anew");
});
