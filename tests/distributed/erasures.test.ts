import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { freePort } from "../engines/processes/free-port.ts";
import { dumpServers } from "../support/distributed/dump-servers.ts";
import { serversAt } from "../support/distributed/servers.ts";
import { type ServiceName, ServiceProcess } from "../support/distributed/service-process.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { findWords, IN_FILE, liveThrough, WORDS, wordsIn } from "../support/personal-words.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { until } from "../support/until.ts";

const OPERATOR_TOKEN = "operator-token-of-forty-visible-characters";
const [ALL_WORDS, OF_ACCOUNT] = [
  Object.values(WORDS),
  [WORDS.accountName, WORDS.credentialName, WORDS.adjustment],
] as const;

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis },
  "erasing where stores are servers (docs/privacy.md#erasing)",
  ({ eventStore, mongo, redis }) => {
    const folder = temporaryFolders();
    let env: Readonly<Record<string, string>>;
    /** All services in one process; it keeps the read models. */
    let service: Service;
    let life: Awaited<ReturnType<typeof liveThrough>>;
    let instance: ServiceProcess | undefined;

    beforeAll(async () => {
      env = {
        EVENT_STORE_URL: eventStore.url,
        MONGODB_URL: mongo.url,
        REDIS_URL: redis.url,
        SECRET_KEY: "of-forty-three-visible-characters-and-not-fewer",
        RATE_LIMIT_PER_MINUTE: "0",
      };
      service = await Service.start({ env, simulated: { powerCutAt: "erasure:recorded" } });
      life = await liveThrough(service);
    });
    afterAll(async () => {
      await instance?.kill();
      await service.discard();
    });

    async function start(
      name: ServiceName,
      dataDir: string,
      line: readonly string[] = [],
      more: Readonly<Record<string, string>> = {},
    ): Promise<ServiceProcess> {
      const [port, operatorPort] = [await freePort(), await freePort()];
      const own = { ...env, ...more, OPERATOR_TOKEN, COMMAND_SERVICE_URL: service.baseUrl, DATA_DIR: dataDir };
      instance = ServiceProcess.spawn({ name, port, operatorPort, env: own, line });
      await instance.ready();
      return instance;
    }
    /** A command-service of its own, on the same servers. */
    async function startInstance(...line: readonly string[]) {
      const { operatorUrl } = await start("command-service", folder(), line);
      return { OPERATOR_URL: operatorUrl, OPERATOR_TOKEN };
    }
    const wordsShown = async () => {
      const text = JSON.stringify(await life.shown(service));
      return ALL_WORDS.filter((word) => text.includes(word));
    };

    test("an archive of an account has all words, and the files", async () => {
      const file = join(folder(), "all.tar");
      const where = await startInstance();
      expect((await operatorCli(where, "account", "export", life.accountId, file, "--original")).code).toBe(0);
      const files = execFileSync("tar", ["-x", "-O", "-f", file]).toString();
      expect([...ALL_WORDS, IN_FILE].filter((word) => !files.includes(word))).toStrictEqual([]);
      await instance?.kill();
    });

    test("what a killed process has left of its browser, the next start removes", async () => {
      const dataDir = folder();
      const killed = await start("query-service", dataDir);
      const own = readdirSync(dataDir).find((name) => name.startsWith("browser-")) ?? "";
      mkdirSync(join(dataDir, own, "profile-1"));
      writeFileSync(join(dataDir, own, "profile-1", "page"), WORDS.name);
      expect(findWords(dataDir, [WORDS.name])).toStrictEqual([`page: ${WORDS.name}`]);
      await killed.kill();
      await start("query-service", dataDir);
      expect(findWords(dataDir, [WORDS.name])).toStrictEqual([]);
      await instance?.kill();
    });

    test("where the data folder can't be written, the browser's folder goes with its process", async () => {
      const [dataDir, temporary] = [join(folder(), "no-folder"), folder()];
      writeFileSync(dataDir, "");
      const stopped = await start("query-service", dataDir, [], { TMPDIR: temporary });
      const own = /^travel-booking-browser-/;
      expect(readdirSync(temporary)).toStrictEqual([expect.stringMatching(own)]);
      expect((await stopped.stop()).code).toBe(0);
      expect(readdirSync(temporary)).toStrictEqual([]);
    });

    test("what a killed process has left of an erasure, the start of another one finishes", async () => {
      await expect(service.operator("POST", `/bookings/${life.bookingId}/erase`)).rejects.toThrow();
      expect((await service.ended).signal).toBe("SIGKILL");
      const where = await startInstance();
      const erasure = { kind: "booking", id: life.bookingId, erasedAt: expect.any(String) };
      expect(await operatorJson(where, "erasures", "export")).toMatchObject([erasure]);
      await instance?.kill();
      service = await Service.start({ dataDir: service.dataDir, env });
      const { firstName, lastName, profileEmail, passport, loyaltyNumber, metadata } = WORDS;
      const ofProfile = [metadata, firstName, lastName, profileEmail, passport, loyaltyNumber];
      expect(await wordsShown()).toStrictEqual([...ofProfile, ...OF_ACCOUNT]);
    });

    test("what is on the list that a start is given is erased again, and other processes hear of it", async () => {
      // The stores are as those of a backup are: nothing in them knows of these two.
      const file = join(folder(), "erasures.json");
      const erasures = [
        { kind: "passenger", id: life.passengerId },
        { kind: "account", id: life.accountId },
      ];
      writeFileSync(file, JSON.stringify(erasures));
      const where = await startInstance("--erasures", file);
      const exported = await operatorJson<readonly { id: string }[]>(where, "erasures", "export");
      const ids = [life.accountId, life.bookingId, life.passengerId];
      expect(exported.map(({ id }) => id).toSorted()).toStrictEqual(ids.toSorted());
      await until(async () => (await wordsShown()).length === 0);
      expect((await life.shown(service))[0]).toMatchObject({ statusCode: 401 });
      const stored = await dumpServers(serversAt({ eventStore, mongo, redis }));
      expect(wordsIn(stored, [...ALL_WORDS, IN_FILE])).toStrictEqual([]);
      expect(wordsIn(stored, ["Kepler-442b"])).toStrictEqual(["Kepler-442b"]);
    });
  },
);
