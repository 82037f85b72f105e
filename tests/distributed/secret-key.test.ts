import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { freePort } from "../engines/processes/free-port.ts";
import { type ServiceName, ServiceProcess } from "../support/distributed/service-process.ts";

const ONE = "one-secret-key-of-forty-visible-characters";
const OTHER = "other-secret-key-of-forty-visible-characters";

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis },
  "services on what was stored under another secret key",
  ({ eventStore, mongo, redis }) => {
    let dataDir: string;

    async function spawned(name: ServiceName, secretKey: string): Promise<ServiceProcess> {
      const [port, operatorPort] = [await freePort(), await freePort()];
      const env = {
        EVENT_STORE_URL: eventStore.url,
        MONGODB_URL: mongo.url,
        REDIS_URL: redis.url,
        COMMAND_SERVICE_URL: "http://127.0.0.1:1",
        OPERATOR_TOKEN: "operator-token-of-forty-visible-characters",
        SECRET_KEY: secretKey,
        DATA_DIR: dataDir,
        LOG_LEVEL: "silent",
      };
      return ServiceProcess.spawn({ name, port, operatorPort, env });
    }

    beforeAll(async () => {
      dataDir = mkdtempSync(join(tmpdir(), "travel-booking-services-"));
      const first = await spawned("projector", ONE);
      await first.ready();
      await first.kill();
    });
    afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

    test.each<ServiceName>(["command-service", "query-service", "projector", "webhook-dispatcher"])(
      "%s does not start",
      async (name) => {
        const service = await spawned(name, OTHER);
        const { code } = await service.ended;
        expect([code, service.stdout, service.stderr.split("\n").length]).toStrictEqual([1, "", 2]);
        expect(service.stderr).toMatch(/^SECRET_KEY is not the one that what is stored was sealed under: /);
      },
    );
  },
);
