import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { randomNumbers } from "../bench/data/random-numbers.ts";
import { erasedWords, type Lives, live, shownOf } from "../support/lives.ts";
import { operatorJson } from "../support/operator-cli.ts";
import { findWords } from "../support/personal-words.ts";
import { rebuildProjections } from "../support/rebuild-projections.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", QUOTA_UNPAID_SEATS_PERCENT: "100" };
const STEPS = 60;
const FLIGHTS = "LIVES";
const STEPS_OF_ERASURE = ["begun", "recorded", "files", "key"];

const folder = temporaryFolders();
const running = new Set<Service>();
afterEach(async () => {
  for (const service of running) await service.discard();
  running.clear();
});

async function start(options: Parameters<typeof Service.start>[0]): Promise<Service> {
  const service = await Service.start(options);
  running.add(service);
  return service;
}

test("lives with erasures, a crash, a rebuild and an older backup in them are as without, but for the erased words", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.constantFrom(...STEPS_OF_ERASURE), fc.constantFrom(...STEPS_OF_ERASURE), check),
    { numRuns: Number(process.env.ERASED_LIVES ?? 2), endOnFailure: true },
  );
});

/** @param killedAt the step of the first erasure at which the process dies. @param killedAgainAt the same on the backup. */
async function check(seed: number, killedAt: string, killedAgainAt: string): Promise<void> {
  let service = await start({ env: ENV, simulated: { powerCutAt: `erasure:${killedAt}` } });
  const { dataDir } = service;
  const copy = join(folder(), "copy");
  let atBackup: Lives | undefined;
  const lives = await live({
    target: () => service,
    random: randomNumbers(seed),
    steps: STEPS,
    flights: FLIGHTS,
    async erase(path) {
      const answer = await service.operator("POST", path).catch(() => undefined);
      if (answer !== undefined) return expect(answer.status).toBe(200);
      await service.ended;
      service = await start({ dataDir, env: ENV });
    },
    async halfway(sofar) {
      expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
      atBackup = structuredClone(sofar);
    },
  });
  const shown = await shownOf(service, lives, FLIGHTS);
  await rebuildProjections(service);
  expect(await shownOf(service, lives, FLIGHTS)).toStrictEqual(shown);
  const erasures = await operatorJson<readonly unknown[]>({ DATA_DIR: dataDir }, "erasures", "export");
  const { stderr } = await service.kill();
  const words = erasedWords(lives);
  expect(words).not.toStrictEqual([]);
  expect(findWords(dataDir, words)).toStrictEqual([]);
  expect(words.filter((word) => stderr.includes(word))).toStrictEqual([]);
  service = await start({ dataDir, env: ENV });
  expect(await shownOf(service, lives, FLIGHTS)).toStrictEqual(shown);
  await service.kill();

  // The same, and nobody is erased.
  const other = await start({ env: ENV });
  let otherAtBackup: unknown;
  const same = await live({
    target: () => other,
    random: randomNumbers(seed),
    steps: STEPS,
    flights: FLIGHTS,
    async halfway(sofar) {
      otherAtBackup = await shownOf(other, sofar, FLIGHTS, lives);
    },
  });
  expect(shown).toStrictEqual(await shownOf(other, same, FLIGHTS, lives));
  await other.kill();

  const file = join(folder(), "erasures.json");
  writeFileSync(file, JSON.stringify(erasures));
  const SECRET_KEY = readFileSync(join(dataDir, "secret-key"), "utf8").trim();
  const restored = { dataDir: copy, env: { ...ENV, SECRET_KEY }, line: ["--erasures", file] };
  const killed = Service.spawn({ ...restored, simulated: { powerCutAt: `erasure:${killedAgainAt}` } });
  expect((await killed.ended).signal).toBe("SIGKILL");
  service = await start(restored);
  expect(await shownOf(service, atBackup as Lives, FLIGHTS)).toStrictEqual(otherAtBackup);
  await service.kill();
  expect(findWords(copy, words)).toStrictEqual([]);
}
