import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { readAll } from "@travel-booking/command-service";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { Population } from "../bench/data/population.ts";
import { ApiClient } from "../support/api-client.ts";
import { operatorCli } from "../support/operator-cli.ts";
import { findWords } from "../support/personal-words.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const LINE = ["log", "rewrite"];
const folder = temporaryFolders();

let dataDir: string;
let population: Population;
beforeEach(async () => {
  dataDir = folder();
  population = new Population({ bookings: 60, flights: 10 }, Date.now());
  await withLog(async (store) => {
    for (const { stream, expectedRevision, events } of population.appends()) {
      await store.append(stream, expectedRevision, events);
    }
  });
});

/** As a release wrote it that did not seal. */
async function withLog<Result>(
  use: (store: ReturnType<typeof openLmdbEventStore>) => Promise<Result>,
): Promise<Result> {
  const environment = openEnvironment({ path: join(dataDir, "log"), maxDbs: LMDB_EVENT_STORE_DATABASES + 2 });
  const store = openLmdbEventStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    return await use(store);
  } finally {
    await store.close();
    await environment.close();
  }
}

const log = () => withLog(async (store) => (await Array.fromAsync(readAll(store))).flat());

/** All but the words. */
const shapes = (events: readonly RecordedEvent[]) =>
  events.map(({ data, sealed: _, ...rest }) => ({ ...rest, fields: Object.keys(data as object) }));

/** Whoever has the folder can read these: a name and an address of each party. */
const WORDS = ["@example.com"];

async function shown(service: Service): Promise<Shown> {
  const [account] = population.contents().accounts;
  const api = new ApiClient(service.baseUrl, { apiKey: account?.apiKey ?? "" });
  return (await api.get<Shown>("/v1/bookings?limit=100")).body;
}

interface Shown {
  readonly data: readonly { readonly id: string; readonly passengers: readonly object[] }[];
}

/** With the words of one booking erased. */
function forgotten(before: Shown, id: string): Shown {
  const words = { name: "[erased]", email: "erased@erased.invalid" };
  const data = before.data.map((booking) =>
    booking.id === id
      ? { ...booking, passengers: booking.passengers.map((passenger) => ({ ...passenger, ...words })) }
      : booking,
  );
  return { ...before, data };
}

let running: Service | undefined;
afterEach(() => running?.discard());
async function start(): Promise<Service> {
  running = await Service.start({ dataDir, env: { RATE_LIMIT_PER_MINUTE: "0" } });
  return running;
}

describe("log rewrite (docs/privacy.md#events-from-before)", () => {
  test("seals what was stored plain; events, answers and what was erased stay as they are", async () => {
    let service = await start();
    const [erased = ""] = population.contents().bookings;
    expect((await service.operator("POST", `/bookings/${erased}/erase`)).body).toMatchObject({
      stores: { eventLog: { erased: 0 } },
    });
    const before = await shown(service);
    const { plain } = (await service.operator("GET", "/seal")).body as { plain: number };
    expect(plain).toBeGreaterThan(60);
    await service.stop();
    const [events, words] = [await log(), findWords(dataDir, WORDS)];
    expect(words).toStrictEqual(["data.mdb: @example.com", "data.mdb: @example.com"]);

    expect(await Service.spawn({ dataDir, line: LINE }).ended).toMatchObject({
      code: 0,
      stdout: `${events.length} events written, ${plain} of them sealed anew. The next start builds the read models.\n`,
    });
    expect(findWords(dataDir, WORDS)).toStrictEqual([]);
    expect(shapes(await log())).toStrictEqual(shapes(events));
    service = await start();
    expect(await shown(service)).toStrictEqual(forgotten(before, erased));
    expect((await service.operator("GET", "/seal")).body).toMatchObject({ plain: 0 });
    await service.stop();
    // A second time there is nothing left to do.
    expect(await operatorCli({ DATA_DIR: dataDir }, ...LINE)).toMatchObject({
      code: 0,
      stdout: `${events.length} events written, 0 of them sealed anew. The next start builds the read models.\n`,
    });
  });

  test.each(["rewrite:state", "rewrite:events", "rewrite:read models"])(
    "cut off at %s the log is as it was, and the next rewrite is whole",
    async (powerCutAt) => {
      const events = await log();
      const cut = await Service.spawn({ dataDir, line: LINE, simulated: { powerCutAt } }).ended;
      expect(cut).toMatchObject({ signal: "SIGKILL", stdout: "" });
      expect(await log()).toStrictEqual(events);
      let service = await start();
      const before = await shown(service);
      expect(existsSync(join(dataDir, "log", "rewriting"))).toBe(false);
      await service.stop();
      expect(await Service.spawn({ dataDir, line: LINE }).ended).toMatchObject({ code: 0 });
      expect(findWords(dataDir, WORDS)).toStrictEqual([]);
      service = await start();
      expect(await shown(service)).toStrictEqual(before);
    },
  );

  test("is refused while the service runs, and where the log is on a server", async () => {
    const service = await start();
    expect(await operatorCli({ DATA_DIR: dataDir }, ...LINE)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]* in use [^\n]*\nthe log was not rewritten\n$/),
    });
    await service.stop();
    const env = {
      EVENT_STORE_URL: "esdb://127.0.0.1:1",
      SECRET_KEY: "of-forty-three-visible-characters-and-not-fewer",
    };
    expect(await Service.spawn({ dataDir, line: LINE, env }).ended).toMatchObject({
      code: 1,
      stderr: "log rewrite is for the log in DATA_DIR: EVENT_STORE_URL and MONGODB_URL must not be set\n",
    });
    expect(readdirSync(join(dataDir, "log"))).not.toContain("rewriting");
  });
});
