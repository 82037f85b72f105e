import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AccessTokens } from "@travel-booking/http";
import { deriveKeys, ManualClock } from "@travel-booking/runtime";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { freePort } from "../engines/processes/free-port.ts";
import { ApiClient } from "../support/api-client.ts";
import { type ServiceName, ServiceProcess } from "../support/distributed/service-process.ts";
import { OperatorCaller } from "../support/operator-caller.ts";
import { until } from "../support/until.ts";

const ONE = "one-secret-key-of-forty-three-visible-characters";
const OPERATOR_TOKEN = "operator-token-of-forty-visible-characters";
const OTHER = "other-secret-key-of-forty-three-visible-characters";

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis },
  "services on what was stored under another secret key",
  ({ eventStore, mongo, redis }) => {
    let dataDir: string;

    async function spawned(
      name: ServiceName,
      secretKey: string,
      more: Readonly<Record<string, string>> = {},
    ): Promise<ServiceProcess> {
      const [port, operatorPort] = [await freePort(), await freePort()];
      const env = {
        EVENT_STORE_URL: eventStore.url,
        MONGODB_URL: mongo.url,
        REDIS_URL: redis.url,
        COMMAND_SERVICE_URL: "http://127.0.0.1:1",
        OPERATOR_TOKEN,
        SECRET_KEY: secretKey,
        DATA_DIR: dataDir,
        LOG_LEVEL: "silent",
        ...more,
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

    test("while services are started again one by one, tokens are good everywhere, and forged ones nowhere", async () => {
      const running: ServiceProcess[] = [];
      const started = async (name: ServiceName, key: string, previous: string, more = {}) => {
        const service = await spawned(name, key, { SECRET_KEY_PREVIOUS: previous, ...more });
        running.push(service);
        await service.ready();
        return service;
      };
      try {
        await started("projector", ONE, OTHER);
        const commands = await started("command-service", ONE, OTHER);
        const toCommands = { COMMAND_SERVICE_URL: commands.url };
        const before = await started("query-service", ONE, OTHER, toCommands);
        const operator = new OperatorCaller(
          () => commands.operatorUrl,
          () => OPERATOR_TOKEN,
        );
        const { accountId } = await operator.newApiKey();
        const { body } = await operator.call("POST", "/credentials", { accountId, kind: "oauth-client" });
        const { clientId, clientSecret } = body as { readonly clientId: string; readonly clientSecret: string };
        const issue = async () => {
          const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
          const answer = await fetch(`${commands.url}/v1/oauth/token`, {
            method: "POST",
            body: new URLSearchParams(form),
          });
          return ((await answer.json()) as { readonly access_token: string }).access_token;
        };
        const statusOf = async ({ url }: ServiceProcess, accessToken: string) =>
          (await new ApiClient(url, { accessToken }).get("/v1/bookings")).status;
        const early = await issue();
        await until(async () => (await statusOf(before, early)) === 200);

        // The command-service has not been started again.
        const after = await started("query-service", OTHER, ONE, toCommands);
        const late = await issue();
        for (const service of [before, after]) {
          expect([await statusOf(service, early), await statusOf(service, late)]).toStrictEqual([200, 200]);
        }
        const keyInUse = async () => ({ index: 0, since: 0 });
        const forger = new AccessTokens({
          keys: deriveKeys(ONE, "access-tokens"),
          keyInUse,
          clock: new ManualClock(Date.now() + 1_000),
        });
        const forged = await forger.issue(clientId, ["bookings:read"]);
        expect([await statusOf(before, forged), await statusOf(after, forged)]).toStrictEqual([401, 401]);
      } finally {
        await Promise.all(running.map((service) => service.kill()));
      }
    });
  },
);
