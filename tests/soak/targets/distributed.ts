import { join } from "node:path";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { everyDocument } from "../../distributed/kit/read-models.ts";
import { Installation } from "../../support/distributed/installation.ts";
import { startServers } from "../../support/distributed/start-servers.ts";
import { runningProcesses } from "../observe/processes.ts";
import { SOAK_SETTINGS, type Target, type Victim } from "./target.ts";

/** By what is stored: the server, and where in its working folder. */
const STORES = { events: ["eventstoredb", ""], documents: ["postgres", ""], WAL: ["postgres", "pg_wal"] } as const;

/** The four services behind the reverse proxy, one of each, on the servers this machine can start. */
export async function startDistributed(): Promise<Target> {
  const servers = await startServers({ killable: true });
  const installation = await Installation.start({ servers, env: SOAK_SETTINGS }).catch(async (error) => {
    await servers.stop();
    throw error;
  });
  const services = installation.services.map((service): Victim => {
    return {
      name: service.name,
      kill: () => service.kill(),
      async restart() {
        service.restart();
        await service.ready();
      },
    };
  });
  const engines = Object.entries(servers.engines).map(([name, engine]): Victim => {
    return { name, kill: () => engine.kill(), restart: () => engine.restart() };
  });
  return {
    baseUrl: installation.baseUrl,
    metricsUrls: installation.services.map(({ operatorUrl }) => `${operatorUrl}/metrics`),
    victims: [...services, ...engines],
    get stderr() {
      return installation.stderr;
    },
    operatorEnvironment: installation.operatorEnvironment,
    operator: (method, path, body) => installation.operator(method, path, body),
    newApiKey: () => installation.newApiKey(),
    stored() {
      const processes = runningProcesses();
      return Object.fromEntries(
        Object.entries(STORES).flatMap(([what, [server, path]]) => {
          const folder = processes.find(({ name }) => name === server)?.folder;
          return folder === undefined ? [] : [[what, join(folder, path)]];
        }),
      );
    },
    async readModels() {
      const models = await everyDocument(servers.mongodbUrl);
      return new Map(
        [...models].flatMap(([model, documents]) =>
          [...documents].map(([key, fields]) => [`${model} ${key}`, textOf(fields)] as const),
        ),
      );
    },
    async openBooks() {
      await Promise.all(installation.services.map((service) => service.stop()));
      const events = openEventStoreDb(servers.eventStoreUrl);
      const mongo = openMongo(servers.mongodbUrl);
      return {
        events,
        state: openMongoStateStore(mongo),
        async close() {
          await events.close();
          await mongo.close();
        },
      };
    },
    async discard() {
      await installation.discard();
      await servers.stop();
    },
  };
}

function textOf(fields: object): string {
  return JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
