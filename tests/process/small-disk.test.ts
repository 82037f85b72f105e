import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { SmallDisk, smallDiskMissingReason } from "./kit/small-disk.ts";

const ROUNDS = Number(process.env.FULL_DISK_ROUNDS ?? 3);
const RESERVE_MB = 64;
const ENV = { RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "warn", DISK_RESERVE_MB: String(RESERVE_MB) };
const UPLOADS_OF_A_ROUND = 8;
const RETRY_MS = 20;

const TITLE = "a real disk that runs full (docs/rules.md#a-disk-that-runs-full)";
const missing = smallDiskMissingReason();
const describeOrSkip = missing === undefined ? describe : describe.skip;

describeOrSkip(missing === undefined ? TITLE : titleOfSkipped(TITLE, missing), () => {
  let disk: SmallDisk;
  let service: Service;
  let apiKey: string;
  let passport: Buffer<ArrayBuffer>;
  const start = () => Service.start({ dataDir: join(disk.folder, "data"), env: ENV });

  beforeEach(async () => {
    disk = new SmallDisk(RESERVE_MB * 3);
    passport = await readFile(join(import.meta.dirname, "../../docs/examples/passport.pdf"));
    service = await start();
    await importFlights(service, [{ id: "SD-1", departsIn: 60, rows: [10, 900] }]);
    ({ apiKey } = await service.newApiKey());
  });
  afterEach(async () => {
    await service.kill();
    disk.remove();
  });

  const client = (key = apiKey) => new ApiClient(service.baseUrl, { apiKey: key });
  const BOOKING = {
    flightId: "SD-1",
    cabin: "economy",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  };
  const book = (idempotencyKey: string, key?: string) =>
    client(key).post<{ readonly id: string }>("/v1/bookings", BOOKING, { "idempotency-key": idempotencyKey });
  const upload = async (bookingId: string, padding: number, key = apiKey) => {
    const form = new FormData();
    form.set("file", new Blob([passport, Buffer.alloc(padding, 32)], { type: "application/pdf" }), "passport.pdf");
    const url = `${service.baseUrl}/v1/bookings/${bookingId}/documents`;
    const answer = await fetch(url, { method: "POST", body: form, headers: { "x-api-key": key } });
    await answer.text();
    return answer.status;
  };

  test("uploads of one account leave room for the bookings of another", async () => {
    const other = await service.newApiKey();
    const { id } = (await book("first")).body;
    const statuses = new Set<number>();
    for (let count = 0; !statuses.has(503); count += 1) {
      const booked = await book(`for-upload-${count}`);
      statuses.add(await upload(booked.body.id, 9_000_000));
    }
    expect([...statuses]).toStrictEqual([201, 503]);
    expect(disk.freeMb).toBeGreaterThan(RESERVE_MB / 2);
    expect((await book("other's", other.apiKey)).status).toBe(201);
    expect((await client().get(`/v1/bookings/${id}`)).status).toBe(200);
  });

  test(`${ROUNDS} rounds under load: nothing acknowledged is lost, nothing crashes, reads go on, writes resume`, async () => {
    const bookings: string[] = [];
    /** Acknowledged ones, by booking. */
    const uploads = new Map<string, number>();
    const unexpected: unknown[] = [];

    async function bookUntil(isOver: () => boolean, name: string): Promise<void> {
      for (let count = 0; !isOver(); count += 1) {
        const answer = await book(`${name}-${count}`);
        if (answer.status === 201) bookings.push(answer.body.id);
        else if (answer.status !== 503) unexpected.push([name, answer.status, answer.body]);
        if (answer.status !== 201) await pause(RETRY_MS);
      }
    }
    async function uploadUntil(isOver: () => boolean): Promise<void> {
      for (let count = 0; count < UPLOADS_OF_A_ROUND && !isOver(); await pause(RETRY_MS)) {
        const bookingId = bookings[bookings.length - 1 - count];
        if (bookingId === undefined) continue;
        const status = await upload(bookingId, 200_000);
        if (status === 201) uploads.set(bookingId, (uploads.get(bookingId) ?? 0) + 1);
        else if (status !== 503) unexpected.push(["upload", status]);
        if (status === 201) count += 1;
      }
    }
    async function readUntil(isOver: () => boolean): Promise<void> {
      for (let count = 0; !isOver(); count += 7) {
        const id = bookings[count % bookings.length];
        if (id === undefined) await pause(RETRY_MS);
        else {
          const { status } = await client().get(`/v1/bookings/${id}`);
          if (status !== 200) unexpected.push(["read", status]);
        }
      }
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      let over = false;
      const isOver = () => over;
      const load = Promise.all([
        ...["a", "b", "c", "d"].map((name) => bookUntil(isOver, `${round}-${name}`)),
        uploadUntil(isOver),
        readUntil(isOver),
      ]);
      await until(async () => bookings.length > round * 20 + 10);
      // To the last byte, or to a level on which the read models still follow.
      await disk.fill(round % 2 === 0 ? 0 : RESERVE_MB / 6);
      await until(async () => (await book(`${round}-refused`)).status === 503);
      for (const id of bookings.slice(-50)) expect((await client().get(`/v1/bookings/${id}`)).status).toBe(200);
      const ready = await fetch(`${service.baseUrl}/health/ready`);
      expect([ready.status, await ready.text()]).toStrictEqual([503, expect.stringContaining("disk_full")]);
      disk.free();
      await until(async () => (await book(`${round}-resumed`)).status === 201);
      over = true;
      await load;
      expect(unexpected).toStrictEqual([]);
      expect([service.process.exitCode, service.process.signalCode]).toStrictEqual([null, null]);
      // Every other time as after a crash.
      await (round % 2 === 0 ? service.kill() : service.stop());
      service = await start();
      const missing = [];
      for (const id of bookings) if ((await client().get(`/v1/bookings/${id}`)).status !== 200) missing.push(id);
      for (const [bookingId, count] of uploads) {
        const { body } = await client().get<{ readonly data: readonly unknown[] }>(
          `/v1/bookings/${bookingId}/documents`,
        );
        if (body.data.length < count) missing.push(bookingId);
      }
      expect(missing).toStrictEqual([]);
    }
  });
});
