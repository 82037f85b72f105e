import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { until } from "../support/until.ts";

/** With the default reserve. */
const MB = 1_048_576;
const PLENTY = 5_000;
const RESERVE = 512;
const UPLOADS_REFUSED = 400;
const WRITES_REFUSED = 100;
const SIMULATED_DISK = new URL("../support/simulated-disk.ts", import.meta.url).href;
const folder = temporaryFolders();

/** The free space is a number in a file. */
describe("a disk that runs full (docs/rules.md#a-disk-that-runs-full)", () => {
  let service: Service;
  let freeBytes: string;
  let apiKey: string;
  let client: ApiClient;
  let passport: Buffer<ArrayBuffer>;

  /** In one step: half a number is another one. */
  const free = (megabytes: number) => {
    writeFileSync(`${freeBytes}.new`, String(megabytes * MB));
    renameSync(`${freeBytes}.new`, freeBytes);
  };
  const simulated = () => ({ NODE_OPTIONS: `--import=${SIMULATED_DISK}`, SIMULATED_FREE_BYTES: freeBytes });
  const start = (dataDir?: string) =>
    Service.start({
      ...(dataDir !== undefined && { dataDir }),
      env: { ...simulated(), RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "info" },
    });

  beforeEach(async () => {
    freeBytes = join(folder(), "free-bytes");
    free(PLENTY);
    service = await start();
    await importFlights(service, [{ id: "DF-1", departsIn: 60 }]);
    ({ apiKey } = await service.newApiKey());
    client = new ApiClient(service.baseUrl, { apiKey });
    passport = await readFile(join(import.meta.dirname, "../../docs/examples/passport.pdf"));
  });
  afterEach(() => service.discard());

  const BOOKING = {
    flightId: "DF-1",
    cabin: "economy",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  };
  const book = (key?: string) =>
    client.post<{ readonly id: string; readonly message: string }>(
      "/v1/bookings",
      BOOKING,
      key === undefined ? {} : { "idempotency-key": key },
    );
  const upload = (bookingId: string) => {
    const form = new FormData();
    form.set("file", new Blob([passport], { type: "application/pdf" }), "passport.pdf");
    return fetch(`${service.baseUrl}/v1/bookings/${bookingId}/documents`, {
      method: "POST",
      body: form,
      headers: { "x-api-key": apiKey },
    });
  };
  const ready = async () => {
    const answer = await fetch(`${service.baseUrl}/health/ready`);
    return [answer.status, ((await answer.json()) as { message?: unknown }).message];
  };
  const log = () =>
    service.stderr
      .split("\n")
      .filter((line) => line.includes("freeMb"))
      .map((line) => JSON.parse(line))
      .map(({ level, msg, freeMb }) => [level, msg, freeMb]);
  /** The service looks once a second while nobody asks. */
  const told = (times: number) => until(async () => log().length === times);
  const metric = async (name: string) =>
    new RegExp(`^${name} (.+)$`, "m").exec(await (await fetch(service.metricsUrl)).text())?.[1];

  const isRebuilding = async () =>
    (await metric('projection_state\\{projection="bookings",state="rebuilding"\\}')) === "1";

  test("below the reserve uploads are refused, and all else goes on", async () => {
    const { id } = (await book()).body;
    free(UPLOADS_REFUSED);
    await told(1);
    const refused = await upload(id);
    expect([
      refused.status,
      refused.headers.get("retry-after"),
      ((await refused.json()) as { message: string }).message,
    ]).toStrictEqual([
      503,
      "30",
      "The service is short of disk space and takes no uploads; nothing was attempted. Try again later.",
    ]);
    expect((await book()).status).toBe(201);
    expect(await ready()).toStrictEqual([200, undefined]);
    expect([await metric("disk_level"), await metric("disk_free_bytes")]).toStrictEqual(["1", String(400 * MB)]);
    free(PLENTY);
    await told(2);
    expect((await upload(id)).status).toBe(201);
    expect(log()).toStrictEqual([
      ["warn", "the disk of DATA_DIR is short of space: uploads are refused until space is freed", UPLOADS_REFUSED],
      ["info", "the disk has room again: everything is taken", PLENTY],
    ]);
  });

  test("below a quarter nothing is written, reads go on, and writes resume by themselves", async () => {
    const { id } = (await book("before")).body;
    free(WRITES_REFUSED);
    await told(1);
    for (const refused of [await book("key"), await book(), await client.post(`/v1/bookings/${id}/cancel`)]) {
      expect([
        refused.status,
        refused.headers.get("retry-after"),
        (refused.body as { message: string }).message,
      ]).toStrictEqual([
        503,
        "30",
        "The service is short of disk space and changes nothing; nothing was attempted. Try again later.",
      ]);
    }
    expect((await upload(id)).status).toBe(503);
    expect((await client.get<{ id: string }>(`/v1/bookings/${id}`)).body.id).toBe(id);
    expect((await client.get<{ data: unknown[] }>("/v1/bookings")).body.data).toHaveLength(1);
    expect(await ready()).toStrictEqual([503, ["disk_full"]]);
    expect((await service.operator("GET", "/summary")).body).toHaveProperty("missing", [
      `the disk of DATA_DIR is nearly full (${WRITES_REFUSED} MB are free): nothing is written until space is freed`,
    ]);
    expect(await metric("disk_level")).toBe("2");
    // What was begun before may take a second.
    await until(async () => (await service.operator("POST", "/accounts", { name: "Late" })).status === 503);
    free(PLENTY);
    await told(2);
    const booked = await book("key");
    expect([booked.status, booked.headers.get("idempotent-replayed")]).toStrictEqual([201, null]);
    expect(await ready()).toStrictEqual([200, undefined]);
    expect((await service.operator("POST", "/accounts", { name: "Later" })).status).toBe(201);
  });

  test("a rebuild waits for room, readers do not, and a stop does not either", async () => {
    const { id } = (await book()).body;
    free(WRITES_REFUSED);
    await told(1);
    let done = false;
    const rebuilt = service.operator("POST", "/projections/bookings/rebuild").finally(() => {
      done = true;
    });
    await until(isRebuilding);
    expect((await client.get(`/v1/bookings/${id}`)).status).toBe(200);
    expect(done).toBe(false);
    free(PLENTY);
    expect((await rebuilt).status).toBe(200);
    expect((await client.get(`/v1/bookings/${id}`)).status).toBe(200);
    await told(2);

    free(WRITES_REFUSED);
    await told(3);
    const given = service.operator("POST", "/projections/bookings/rebuild");
    await until(isRebuilding);
    const { code, signal } = await service.stop();
    expect([code, signal]).toStrictEqual([0, null]);
    // The answer ends at once, and is not cut off with the last connections.
    const lines: readonly unknown[] = (await given).body;
    expect(lines.at(-1)).toStrictEqual({ error: { message: "the service is stopping" } });
  });

  test("a backup that the disk has no room for is refused before it writes", async () => {
    const copy = join(service.dataDir, "copies", "first");
    free(RESERVE);
    const { status, body } = await service.operator("POST", "/backup", { path: copy });
    expect([status, (body as { message: readonly string[] }).message]).toStrictEqual([
      409,
      [
        expect.stringMatching(
          /^no room for a backup in .+\/copies\/first: it needs \d+ MB, and 512 MB more that the service keeps free there \(DISK_RESERVE_MB\); 512 MB are free$/,
        ),
      ],
    ]);
    expect(existsSync(dirname(copy))).toBe(false);
    free(PLENTY);
    expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
  });

  test("of a backup that fails nothing is left", async () => {
    mkdirSync(join(service.dataDir, "files", "no_file"));
    const made = join(service.dataDir, "copies", "made");
    const given = join(service.dataDir, "given");
    mkdirSync(given);
    for (const path of [made, given]) {
      const { status } = await service.operator("POST", "/backup", { path });
      expect(status).toBe(500);
    }
    expect([existsSync(made), readdirSync(given)]).toStrictEqual([false, []]);
  });

  test("a service starts on a disk that is nearly full, and answers reads", async () => {
    const { id } = (await book()).body;
    await service.stop();
    free(WRITES_REFUSED);
    // `Service.start` would wait until it is ready.
    const { dataDir } = service;
    service = Service.spawn({
      dataDir,
      env: { ...simulated(), RATE_LIMIT_PER_MINUTE: "0" },
    });
    await until(async () => service.stdout.includes("is ready"));
    const { baseUrl = "" } = /base address\s+(?<baseUrl>\S+)/.exec(service.stdout)?.groups ?? {};
    expect((await new ApiClient(baseUrl, { apiKey }).get(`/v1/bookings/${id}`)).status).toBe(200);
    free(PLENTY);
    await service.ready();
    client = new ApiClient(service.baseUrl, { apiKey });
    expect((await client.get(`/v1/bookings/${id}`)).status).toBe(200);
    expect((await book()).status).toBe(201);
  });
});
