import { cpSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { newDataDir, Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { flipBit, overwriteHeader, truncateStore } from "./kit/damage.ts";
import { expectStartFailure } from "./kit/expect-start-failure.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", QUOTA_UNPAID_SEATS_PERCENT: "100", LOG_LEVEL: "warn" };
const folder = temporaryFolders();

interface Booking {
  readonly id: string;
  readonly reference: string;
}

/** As its record in the log begins. */
const firstEventOf = ({ id }: Booking) => `"booking-${id}",0,`;

function largestFile(dataDir: string): number {
  return Math.max(...["log", "read", "keys"].map((store) => statSync(join(dataDir, store, "data.mdb")).size));
}

/** One sound data folder; each test damages a copy of it. */
describe("a damaged store is told in one line or answered 500, and never read as if whole", () => {
  const sound = newDataDir();
  let apiKey: string;
  let damaged: Booking;
  let whole: Booking;
  let everything: unknown;
  let service: Service | undefined;

  beforeAll(async () => {
    const made = await Service.start({ dataDir: sound, env: ENV });
    await importFlights(made, [{ id: "DM-1", departsIn: 60 }]);
    apiKey = (await made.newApiKey()).apiKey;
    damaged = await book(made, "damaged");
    whole = await book(made, "whole");
    for (let index = 0; index < 30; index += 1) await book(made, `filler-${index}`);
    everything = await list(made);
    expect((await made.stop()).code).toBe(0);
  });
  afterEach(() => service?.kill());
  afterAll(() => rmSync(sound, { recursive: true }));

  const api = (of: Service) => new ApiClient(of.baseUrl, { apiKey });

  async function book(of: Service, reference: string): Promise<Booking> {
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const body = { flightId: "DM-1", cabin: "economy", passengers, reference };
    const answer = await api(of).post<Booking>("/v1/bookings", body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  const list = async (of: Service) => (await api(of).get("/v1/bookings?limit=100")).body;

  function copy(): string {
    const dataDir = join(folder(), "data");
    cpSync(sound, dataDir, { recursive: true });
    return dataDir;
  }

  describe.each(["log", "read", "keys"] as const)("%s", (store) => {
    test.each([
      ["cut off", (dataDir: string) => truncateStore(dataDir, store)],
      ["with another header", (dataDir: string) => overwriteHeader(dataDir, store)],
      ["without its data", (dataDir: string) => rmSync(join(dataDir, store, "data.mdb"))],
    ])("%s", async (_, harm) => {
      const dataDir = copy();
      harm(dataDir);
      const line = await expectStartFailure({ dataDir, env: ENV });
      expect(line).toMatch(
        new RegExp(`^the store ${dataDir}/${store}/data.mdb is damaged: .+; restore it from a backup`),
      );
      if (store === "read") expect(line).toContain(`or remove ${dataDir}/read, and it is built anew from the log`);
    });
  });

  describe("a log that the read models were not made from is told, and not taken for theirs", () => {
    const expectAnotherLog = async (dataDir: string) =>
      expect(await expectStartFailure({ dataDir, env: { ...ENV, DEMO: "" } })).toMatch(
        new RegExp(
          `^the event log is not the one that was read before: it lacks event \\S+ at position \\d+\\. Put the right log back, or have all read models built anew from this one: remove ${dataDir}/read$`,
        ),
      );
    const putLog = (dataDir: string, log: string) => {
      rmSync(join(dataDir, "log"), { recursive: true });
      cpSync(log, join(dataDir, "log"), { recursive: true });
    };

    test("it is gone", async () => {
      const dataDir = copy();
      rmSync(join(dataDir, "log"), { recursive: true });
      await expectAnotherLog(dataDir);
    });

    test("an older one, even where it has grown since; with the right one, or without read models, it starts", async () => {
      const dataDir = copy();
      const older = join(dataDir, "log");
      service = await Service.start({ dataDir, env: ENV });
      for (const reference of ["one", "two", "three"]) await book(service, reference);
      expect((await service.stop()).code).toBe(0);
      const right = join(folder(), "right");
      cpSync(older, right, { recursive: true });
      putLog(dataDir, join(sound, "log"));
      await expectAnotherLog(dataDir);

      // What it lacks is taken by others: the position alone would not tell.
      const grown = copy();
      service = await Service.start({ dataDir: grown, env: ENV });
      for (let index = 0; index < 9; index += 1) await book(service, `other-${index}`);
      expect((await service.stop()).code).toBe(0);
      putLog(dataDir, join(grown, "log"));
      await expectAnotherLog(dataDir);

      putLog(dataDir, right);
      service = await Service.start({ dataDir, env: ENV });
      expect(JSON.stringify(await list(service))).toContain('"three"');
      await service.stop();

      putLog(dataDir, join(grown, "log"));
      rmSync(join(dataDir, "read"), { recursive: true });
      // Its newest words are sealed under keys that this folder does not have.
      expect(await expectStartFailure({ dataDir, env: ENV })).toMatch(
        /^the folder keys of DATA_DIR is not the one .* or an older one/,
      );
      rmSync(join(dataDir, "keys"), { recursive: true });
      cpSync(join(grown, "keys"), join(dataDir, "keys"), { recursive: true });
      service = await Service.start({ dataDir, env: ENV });
      expect(JSON.stringify(await list(service))).toContain('"other-8"');
    });
  });

  test("read models that are gone are built anew, and nobody is answered before", async () => {
    const dataDir = copy();
    rmSync(join(dataDir, "read"), { recursive: true });
    service = await Service.start({ dataDir, env: ENV });
    expect(await list(service)).toStrictEqual(everything);
    const { code, stderr } = await service.stop();
    expect([code, stderr]).toStrictEqual([0, ""]);
  });

  test("a flipped bit in an event that the read models are yet to learn of", async () => {
    const dataDir = copy();
    flipBit(dataDir, "log", firstEventOf(damaged));
    rmSync(join(dataDir, "read"), { recursive: true });
    expect(await expectStartFailure({ dataDir, env: ENV })).toMatch(
      /^the store event log is damaged: the record at position \d+ is not what was written; restore it from a backup$/,
    );
  });

  test("a flipped bit in an old event: what rests on it fails, and says so in the log; all else goes on", async () => {
    const dataDir = copy();
    flipBit(dataDir, "log", firstEventOf(damaged));
    service = await Service.start({ dataDir, env: ENV });
    const refused = await api(service).patch(`/v1/bookings/${damaged.id}`, { reference: "other" });
    expect([refused.status, Object.keys(refused.body)]).toStrictEqual([500, ["statusCode", "message", "error"]]);
    expect((await service.operator("GET", `/streams/booking-${damaged.id}`)).status).toBe(500);
    expect((await api(service).patch(`/v1/bookings/${whole.id}`, { reference: "whole" })).status).toBe(200);
    const rebuilt = await service.operator("POST", "/projections/bookings/rebuild");
    expect(JSON.stringify(rebuilt.body)).toContain("is damaged");
    expect(await list(service)).toStrictEqual(everything);
    expect((await fetch(`${service.baseUrl}/health/ready`)).status).toBe(200);
    const { code, signal, stderr } = await service.stop();
    expect([code, signal]).toStrictEqual([0, null]);
    const told = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told.map(({ level, err }) => [level, err.type])).toContainEqual(["error", "DamagedStore"]);
  });

  test("a flipped bit in what is read: 500, until it is built anew", async () => {
    const dataDir = copy();
    flipBit(dataDir, "read", `{"id":"${damaged.id}"`);
    service = await Service.start({ dataDir, env: ENV });
    expect((await api(service).get(`/v1/bookings/${damaged.id}`)).status).toBe(500);
    expect((await api(service).get("/v1/bookings?limit=100")).status).toBe(500);
    expect((await api(service).get(`/v1/bookings/${whole.id}`)).status).toBe(200);
    expect((await service.operator("POST", "/projections/bookings/rebuild")).status).toBe(200);
    expect(await list(service)).toStrictEqual(everything);
    const { code, stderr } = await service.stop();
    expect([code, stderr.includes('"type":"DamagedStore"')]).toStrictEqual([0, true]);
  });

  test("a disk that fills up while it runs ends it; what was acknowledged is there when there is room again", async () => {
    const dataDir = copy();
    const blocks = Math.ceil(largestFile(dataDir) / 1_024) + 40;
    const command = ["bash", "-c", `ulimit -f ${blocks}; exec "$0" "$@"`];
    service = await Service.start({ dataDir, env: ENV, command });
    const client = new ApiClient(service.baseUrl, { apiKey });
    const acknowledged: string[] = [];
    const bookUntilItEnds = async () => {
      const passengers = Array.from({ length: 1 }, () => ({ name: "n".repeat(90), email: "ada@example.com" }));
      const body = { flightId: "DM-1", cabin: "economy", passengers, reference: "x".repeat(60) };
      for (;;) {
        const answer = await client.post<Booking>("/v1/bookings", body);
        if (answer.status !== 201) return;
        acknowledged.push(answer.body.id);
        if ((await client.post(`/v1/bookings/${answer.body.id}/cancel`)).status !== 200) return;
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, bookUntilItEnds));
    const { code, signal, stderr } = await service.ended;
    expect([code, signal, stderr]).toStrictEqual([1, null, expect.anything()]);
    const lines = stderr
      .trimEnd()
      .split("\n")
      // The engine's native part tells of a failed write in words of its own, on lines of its own or before another.
      .filter((line) => line.includes('{"'))
      .map((line) => JSON.parse(line.slice(line.indexOf('{"'))) as { level: string; msg: string });
    expect(lines.find(({ level }) => level === "fatal")?.msg).toMatch(
      /could not be written \(.+\): free space or mend the disk/,
    );
    service = await Service.start({ dataDir, env: ENV });
    for (const id of acknowledged) expect((await api(service).get(`/v1/bookings/${id}`)).status).toBe(200);
  });
});
