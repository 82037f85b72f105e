import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import fc from "fast-check";
import { randomNumbers } from "../bench/data/random-numbers.ts";
import { Chance } from "../soak/load/chance.ts";
import { deliveredOf, ENV_OF_LIVES, erasedWords, type Lives, live, refusesOnce, shownOf } from "../support/lives.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { findWords } from "../support/personal-words.ts";
import { rebuildProjections } from "../support/rebuild-projections.ts";
import { Service, type ServiceOptions } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const STEPS = 80;
const FLIGHTS = "LIVES";
const STEPS_OF_ERASURE = ["begun", "recorded", "files", "key"];
/** About as many as there are of bookings and profiles in a life. */
const ERASURES = 6;

const folder = temporaryFolders();
const running = new Set<Service>();
const receivers = new Set<Receiver>();
afterEach(async () => {
  for (const service of running) await service.discard();
  for (const receiver of receivers) await receiver.stop();
  running.clear();
  receivers.clear();
});

/** Where services put what they need for a moment. */
let temporary: string;

function spawn(options: ServiceOptions): Service {
  const env = { ...ENV_OF_LIVES, LOG_LEVEL: "debug", TMPDIR: temporary, ...options.env };
  const service = Service.spawn({ ...options, env });
  running.add(service);
  return service;
}

async function start(options: ServiceOptions = {}): Promise<Service> {
  const service = spawn(options);
  await service.ready();
  return service;
}

async function receive(): Promise<Receiver> {
  const receiver = await Receiver.start(refusesOnce());
  receivers.add(receiver);
  return receiver;
}

test("lives with erasures, crashes, rebuilds and an older backup in them are as without, but for the erased words", async () => {
  await fc.assert(fc.asyncProperty(fc.integer(), check), {
    numRuns: Number(process.env.ERASED_LIVES ?? 1),
    endOnFailure: true,
  });
});

/** @param seed says how they live, and when what happens to the service. */
async function check(seed: number): Promise<void> {
  const chance = new Chance(randomNumbers(~seed));
  const [backedUpAt, rebuiltAt] = [chance.upTo(STEPS) - 1, chance.upTo(STEPS) - 1];
  let erasuresToCrash = chance.upTo(ERASURES);
  const crash = () => ({ powerCutAt: `erasure:${chance.oneOf(STEPS_OF_ERASURE)}` });
  temporary = folder();
  let service = await start();
  const { dataDir } = service;
  const copy = join(folder(), "copy");
  let atBackup: Lives | undefined;
  const receiver = await receive();
  const lives = await live({
    target: () => service,
    random: randomNumbers(seed),
    steps: STEPS,
    flights: FLIGHTS,
    receiver,
    async erase(path) {
      erasuresToCrash -= 1;
      const isLast = path.startsWith("/accounts/");
      if (erasuresToCrash !== 0 && !(isLast && erasuresToCrash > 0)) {
        return expect((await service.operator("POST", path)).status).toBe(200);
      }
      await service.kill();
      service = await start({ dataDir, simulated: crash() });
      await expect(service.operator("POST", path)).rejects.toThrow();
      expect((await service.ended).signal).toBe("SIGKILL");
      service = await start({ dataDir });
    },
    async before(step, soFar) {
      if (step === rebuiltAt) await rebuildProjections(service);
      if (step !== backedUpAt) return;
      expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
      atBackup = structuredClone(soFar);
    },
  });
  const shown = await shownOf(service, lives, FLIGHTS);
  const delivered = await deliveredOf(receiver, service, lives, FLIGHTS, lives);
  await rebuildProjections(service);
  expect(await shownOf(service, lives, FLIGHTS)).toStrictEqual(shown);
  const erasures = await operatorJson<readonly unknown[]>({ DATA_DIR: dataDir }, "erasures", "export");
  await service.kill();
  const words = erasedWords(lives);
  expect(findWords(dataDir, words)).toStrictEqual([]);
  expect(await operatorCli({ DATA_DIR: dataDir }, "backup", "verify", dataDir)).toMatchObject({ code: 0 });
  service = await start({ dataDir });
  expect(await shownOf(service, lives, FLIGHTS)).toStrictEqual(shown);
  await service.kill();

  // The same, and nobody is erased.
  const other = await start();
  const otherReceiver = await receive();
  let otherAtBackup: unknown;
  const same = await live({
    target: () => other,
    random: randomNumbers(seed),
    steps: STEPS,
    flights: FLIGHTS,
    receiver: otherReceiver,
    async before(step, soFar) {
      if (step === backedUpAt) otherAtBackup = await shownOf(other, soFar, FLIGHTS, lives);
    },
  });
  expect(shown).toStrictEqual(await shownOf(other, same, FLIGHTS, lives));
  expect(delivered).toStrictEqual(await deliveredOf(otherReceiver, other, same, FLIGHTS, lives));
  await other.kill();

  const file = join(folder(), "erasures.json");
  writeFileSync(file, JSON.stringify(erasures));
  const SECRET_KEY = readFileSync(join(dataDir, "secret-key"), "utf8").trim();
  const restored = { dataDir: copy, env: { SECRET_KEY }, line: ["--erasures", file] };
  const killed = spawn({ ...restored, simulated: crash() });
  expect((await killed.ended).signal).toBe("SIGKILL");
  service = await start(restored);
  expect(await shownOf(service, atBackup as Lives, FLIGHTS)).toStrictEqual(otherAtBackup);
  await service.kill();
  expect([...findWords(copy, words), ...findWords(temporary, words)]).toStrictEqual([]);
  const logged = [...running].map(({ stderr }) => stderr).join("");
  expect(words.filter((word) => logged.includes(word))).toStrictEqual([]);
}
