import { createHash } from "node:crypto";
import { join } from "node:path";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import type { Client } from "../../end-to-end/kit/client.ts";
import { readAllEntries } from "../../end-to-end/kit/world.ts";
import { freePort } from "../../engines/processes/free-port.ts";
import { mapAtOnce } from "../../support/map-at-once.ts";
import { newDataDir, Service } from "../../support/service.ts";
import { type Books, SOAK_SETTINGS, type Target } from "./target.ts";

const LISTS = ["/v1/bookings", "/v1/events", "/v1/passengers", "/v1/loyalty/transactions"];
const SINGLE = ["/v1/loyalty/account", "/v1/webhook-endpoints"];
/** Of each account; the bookings themselves are all compared. */
const HISTORIES = 200;

/** One process, as `npm start` runs it. */
export async function startEmbedded(): Promise<Target> {
  const dataDir = newDataDir();
  // The same ports after each start: customers come back.
  const env = { ...SOAK_SETTINGS, PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
  let service = await Service.start({ dataDir, env });
  let logged = "";
  return {
    baseUrl: service.baseUrl,
    metricsUrls: [service.metricsUrl],
    victims: [
      {
        name: "the service",
        kill: () => service.kill(),
        async restart() {
          logged += service.stderr;
          service = await Service.start({ dataDir, env });
        },
      },
    ],
    get stderr() {
      return logged + service.stderr;
    },
    operatorEnvironment: { DATA_DIR: dataDir },
    operator: (method, path, body) => service.operator(method, path, body),
    newApiKey: () => service.newApiKey(),
    stored: () => Object.fromEntries(["log", "read", "files"].map((name) => [name, join(dataDir, name)])),
    readModels: async (clients) => new Map((await Promise.all(clients.map(everythingRead))).flat()),
    async openBooks() {
      const { code, stderr } = await service.stop();
      if (code !== 0) throw new Error(`the service ended with ${code}: ${stderr}`);
      return openBooks(join(dataDir, "log"));
    },
    discard: () => service.discard(),
  };
}

async function openBooks(path: string): Promise<Books> {
  const environment = openEnvironment({ path, maxDbs: LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES });
  const onFatal = (error: Error) => {
    throw error;
  };
  const events = openLmdbEventStore(environment, { onFatal });
  const state = openLmdbStateStore(environment, { sharesLog: true, onFatal });
  return {
    events,
    state,
    async close() {
      await events.close();
      await state.close();
      await environment.close();
    },
  };
}

/** What one account reads; nobody else has its read models open. */
async function everythingRead(client: Client, account: number): Promise<(readonly [string, string])[]> {
  const read: [string, string][] = [];
  const note = (path: string, answer: unknown) => read.push([`account ${account}: ${path}`, digestOf(answer)]);
  for (const path of LISTS) note(path, await readAllEntries(client, path, 100));
  for (const path of SINGLE) note(path, (await client.get(path)).body);
  const bookings = await readAllEntries<{ readonly id: string }>(client, "/v1/bookings", 100);
  const paths = bookings
    .slice(0, HISTORIES)
    .flatMap(({ id }) => [`/v1/bookings/${id}/history?limit=100`, `/v1/bookings/${id}/documents`]);
  const flights = await readAllEntries<{ readonly id: string }>(client, "/v1/flights", 100);
  if (account === 0) paths.push(...flights.flatMap(({ id }) => [`/v1/flights/${id}`, `/v1/flights/${id}/seat-map`]));
  await mapAtOnce(paths, async (path) => note(path, (await client.get(path)).body));
  return read;
}

function digestOf(answer: unknown): string {
  return createHash("sha256").update(JSON.stringify(answer)).digest("hex");
}
