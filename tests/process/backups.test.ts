import { randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { EventToAppend } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_STATE_STORE_DATABASES } from "@travel-booking/engines/state-store/lmdb";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { flipBit } from "./kit/damage.ts";

const to = mkdtempSync(join(tmpdir(), "backups-"));
const OLD = ["2020-01-01T00-00-00Z", "2020-01-02T00-00-00Z"];
/** Older, and too deep for its paths to be named. */
const STAYS = "2019-12-31T00-00-00Z";
const DEEP = Array.from({ length: 12 }, () => "d".repeat(250)).join("/");
const ENV = { RATE_LIMIT_PER_MINUTE: "0", BACKUP_TO: to, BACKUP_EVERY: "1h", BACKUP_KEEP: "2" };
const isVerified = (name: string) => name.endsWith("Z");

let service: Service;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  await importFlights(service, [{ id: "BU-1", departsIn: 60 }]);
  const { apiKey } = await service.newApiKey();
  const api = new ApiClient(service.baseUrl, { apiKey });
  const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
  const body = { flightId: "BU-1", cabin: "economy", passengers, reference: "to-be-damaged" };
  const { id } = (await api.post<{ id: string }>("/v1/bookings", body)).body;
  const form = new FormData();
  form.append("file", new Blob(["%PDF-1.4 is not much of a document"]), "a.pdf");
  const headers = { "x-api-key": apiKey };
  await fetch(`${service.baseUrl}/v1/bookings/${id}/documents`, { method: "POST", headers, body: form });
  await service.stop();
  for (const name of OLD) mkdirSync(join(to, name));
  for (const half of [STAYS, "half"]) mkdirSync(join(to, half, DEEP), { recursive: true });
  renameSync(join(to, "half"), join(to, STAYS, DEEP, "half"));
  mkdirSync(join(to, "2020-01-03T00-00-00Z.unverified"));
  service = await Service.start({ dataDir: service.dataDir, env: ENV });
  await until(async () => readdirSync(to).some((name) => isVerified(name) && !name.startsWith("2020")));
  await until(async () => readdirSync(to).length === 3);
});
afterAll(async () => {
  await service.discard();
  renameSync(join(to, STAYS, DEEP, "half"), join(to, "half"));
  rmSync(to, { recursive: true, force: true });
});

/** The backup that was made, copied so that it may be damaged. */
function copyOf(name: string): string {
  const copy = mkdtempSync(join(tmpdir(), "backups-copy-"));
  cpSync(join(to, name), copy, { recursive: true });
  return copy;
}

/** Every byte is as it was written, and it was not the service that wrote it. */
async function oversell(copy: string): Promise<void> {
  const maxDbs = LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES;
  const environment = openEnvironment({ path: join(copy, "log"), maxDbs });
  const onFatal = (error: Error) => {
    throw error;
  };
  const store = openLmdbEventStore(environment, { onFatal });
  const events = await store.readStream("flight-BU-1");
  const allocated = events.find(({ type }) => type === "SeatsAllocated");
  const data = { ...(allocated?.data as object), bookingId: `bkg_${"0".repeat(32)}`, passengers: 10_000 };
  await store.append("flight-BU-1", events.length - 1, [{ ...(allocated as EventToAppend), id: randomUUID(), data }]);
  await store.close();
  await environment.close();
}

const verify = (path: string) => operatorCli({ DATA_DIR: service.dataDir }, "backup", "verify", path);

test("a scheduled backup is made and verified, the oldest and what was left half-way go, and the operator sees when", async () => {
  const [stays, old, made = ""] = readdirSync(to).sort();
  expect([stays, old]).toStrictEqual([STAYS, OLD[1]]);
  expect(service.stdout + service.stderr).toContain("an old backup can't be removed");
  const { body } = await service.operator("GET", "/summary");
  const at = made.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, "T$1:$2:$3.000Z");
  expect((body as { details: { backups: string } }).details.backups).toBe(`last verified ${at}`);
  const metrics = await (await fetch(service.metricsUrl)).text();
  expect(Number(/^backup_age_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(0);
  expect(metrics).toMatch(/^backup_overdue 0$/m);
  const read = await operatorJson<Record<string, unknown>>(
    { DATA_DIR: service.dataDir },
    "backup",
    "verify",
    join(to, made),
  );
  expect(read).toStrictEqual({
    path: join(to, made),
    events: expect.any(Number),
    records: expect.any(Number),
    keys: expect.any(Number),
    files: 1,
  });
  expect(Number(read.events)).toBeGreaterThan(3);
});

test("a backup that fails is told of", async () => {
  const file = join(to, "..", `${basename(to)}-file`);
  writeFileSync(file, "");
  const other = await Service.start({ env: { ...ENV, BACKUP_TO: file } });
  try {
    const overdue = async () => {
      const { body } = await other.operator("GET", "/summary");
      return (body as { details: { backupsOverdue?: string } }).details.backupsOverdue;
    };
    await until(async () => (await overdue()) !== undefined);
    expect(await overdue()).toContain("the last backup failed: ");
    expect(await (await fetch(other.metricsUrl)).text()).toMatch(/^backup_overdue 1$/m);
  } finally {
    await other.discard();
    rmSync(file);
  }
});

test("what is damaged, missing or sealed under another key is found", async () => {
  const made = readdirSync(to).sort().at(-1) ?? "";
  const [file = ""] = readdirSync(join(to, made, "files"));
  const ways: readonly [damage: (copy: string) => void | Promise<void>, found: RegExp][] = [
    [(copy) => rmSync(join(copy, "files", file)), /the file of upload \S+ is missing/],
    [(copy) => truncateSync(join(copy, "files", file), 20), /is not whole/],
    [(copy) => rmSync(join(copy, "keys"), { recursive: true }), /keys/],
    [(copy) => flipBit(copy, "log", "BookingCreated"), /damaged|not what was written/],
    [oversell, /BU-1: economy has \d+ places, and \d+ passengers/],
  ];
  for (const [damage, found] of ways) {
    const copy = copyOf(made);
    await damage(copy);
    const { code, stderr } = await verify(copy);
    expect(code).toBe(1);
    expect(stderr).toMatch(found);
    expect(stderr).toContain(`${copy} is not verified`);
    rmSync(copy, { recursive: true });
  }
  const other = { DATA_DIR: service.dataDir, SECRET_KEY: "s".repeat(43) };
  const { code, stderr } = await operatorCli(other, "backup", "verify", join(to, made));
  expect([code, stderr]).toStrictEqual([1, expect.stringContaining("SECRET_KEY is not the one")]);
  expect(existsSync(join(to, made))).toBe(true);
});
