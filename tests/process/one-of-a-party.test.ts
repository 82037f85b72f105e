import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { findWords } from "../support/personal-words.ts";
import { rebuildProjections } from "../support/rebuild-projections.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { until } from "../support/until.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "debug" };
const ADA = { name: "Ada Suchbar", email: "ada@suchbar.example" };
const BOB = { name: "Bob Bleibt", email: "bob@bleibt.example" };
const NOBODY = { name: "[erased]", email: "erased@erased.invalid" };
/** Everything that only she is known by. */
const OF_ADA = ["Suchbar", "SUCHBAR", "suchbar.example", "ADANR4711", "pass-ada.pdf", "Pass von Ada"];

const folder = temporaryFolders();
let service: Service | undefined;
afterEach(() => service?.discard());

interface Uploaded {
  readonly id: string;
  readonly fileName: string;
  readonly status: string;
}

/** A cancelled booking of two, each with a passport, and with a history; answers what is shown of it. */
async function liveThrough(running: Service) {
  await importFlights(running, [{ id: "PW-1", departsIn: 60 }]);
  const { apiKey } = await running.newApiKey();
  const client = new ApiClient(running.baseUrl, { apiKey });
  const key = { "idempotency-key": "book" };
  const order = { flightId: "PW-1", cabin: "economy", passengers: [ADA, BOB], reference: "R-1" };
  const { id } = (await client.call<{ id: string }>("POST", "/v1/bookings", order, key)).body;
  const path = `/v1/bookings/${id}`;
  await client.call("PATCH", path, { reference: "R-2" }, { "idempotency-key": "change" });
  const documents = async (of: Service) =>
    (await new ApiClient(of.baseUrl, { apiKey }).get<{ data: Uploaded[] }>(`${path}/documents`)).body.data;
  for (const [surname, givenNames, number, first] of [
    ["SUCHBAR", "ADA", "ADANR4711", "Ada"],
    ["BLEIBT", "BOB", "BOBNR4711", "Bob"],
  ] as const) {
    const pdf = await pdfWithZone(passportZone({ surname, givenNames, number, expiresOn: "401231" }));
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(pdf), `\n% Pass von ${first}`]), `pass-${first.toLowerCase()}.pdf`);
    const headers = { "x-api-key": apiKey };
    const sent = await fetch(`${running.baseUrl}${path}/documents`, { method: "POST", headers, body: form });
    expect(sent.status).toBe(201);
    await until(async () => (await documents(running)).every(({ status }) => status === "verified"));
  }
  await client.call("POST", `${path}/cancel`, {}, { "idempotency-key": "cancel" });
  const files = new Map((await documents(running)).map(({ id: documentId, fileName }) => [fileName, documentId]));
  const shown = async (of: Service) => {
    const reader = new ApiClient(of.baseUrl, { apiKey });
    const get = async (asked: string) => (await reader.get<Record<string, unknown>>(asked)).body;
    const found = async (email: string) => (await get(`/v1/bookings?email=${email}`)).data as readonly unknown[];
    return {
      booking: await get(path),
      repeated: (await reader.call("POST", "/v1/bookings", order, key)).body,
      documents: (await documents(of)).map(({ fileName }) => fileName),
      found: [(await found(ADA.email)).length, (await found(BOB.email)).length],
      all: JSON.stringify([
        await get("/v1/bookings"),
        await get(`${path}/history`),
        await get("/v1/events"),
        (await of.operator("GET", `/bookings/${id}`)).body,
        (await of.operator("GET", `/streams/booking-${id}`)).body,
      ]),
      file: (await of.operator("GET", `/documents/${files.get("pass-bob.pdf")}/file`)).body,
    };
  };
  return { id, shown, before: await shown(running) };
}

async function expectForgotten(of: Service, { shown, before }: Awaited<ReturnType<typeof liveThrough>>): Promise<void> {
  const after = await shown(of);
  expect(after).toStrictEqual({
    ...before,
    booking: { ...before.booking, passengers: [NOBODY, BOB], documents: expect.anything() },
    repeated: { ...(before.repeated as object), passengers: [NOBODY, NOBODY], reference: "[erased]" },
    documents: ["[erased]", "pass-bob.pdf"],
    found: [0, 1],
    all: expect.stringContaining(BOB.name),
  });
  expect(OF_ADA.filter((word) => JSON.stringify(after).includes(word))).toStrictEqual([]);
}

describe("one of a party is forgotten (docs/privacy.md#erasing)", () => {
  test("everywhere, and the others are as before, also after a rebuild and a restart", async () => {
    service = await Service.start({ env: ENV });
    const { dataDir } = service;
    const life = await liveThrough(service);
    const line = ["booking", "erase", life.id, "--passenger"] as const;
    expect(await operatorCli({ DATA_DIR: dataDir }, ...line, "2")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the booking has no such passenger"),
    });
    const other = await service.operator("POST", `/bookings/${life.id}/erase`, { passenger: 0, name: BOB.name });
    expect(other.status).toBe(409);
    const erasure = { kind: "booking", id: life.id, passenger: 0, erasedAt: expect.any(String) };
    expect(await operatorJson({ DATA_DIR: dataDir }, ...line, "0")).toStrictEqual({
      ...erasure,
      stores: { eventLog: { erased: 7, plain: 0 }, files: 1, webhookEndpoints: 0 },
      left: [
        "the key: in backups from before",
        "the booking's reference, reasons and metadata, which may name whom they please",
      ],
    });
    await expectForgotten(service, life);
    expect((await service.operator("POST", `/bookings/${life.id}/erase`, { passenger: 0 })).status).toBe(200);
    await rebuildProjections(service);
    await expectForgotten(service, life);
    expect(await operatorJson({ DATA_DIR: dataDir }, "erasures", "export")).toStrictEqual([erasure]);
    await service.kill();
    expect(findWords(dataDir, OF_ADA)).toStrictEqual([]);
    service = await Service.start({ dataDir, env: ENV });
    await expectForgotten(service, life);
    expect((await service.operator("POST", `/bookings/${life.id}/erase`)).status).toBe(200);
    expect((await life.shown(service)).all).not.toContain(BOB.name);
    const { body } = await service.operator("POST", `/bookings/${life.id}/erase`, { passenger: 1 });
    expect((body as { readonly left: unknown }).left).toStrictEqual(["the key: in backups from before"]);
  });

  test.each(["begun", "recorded", "files", "key"])(
    "a power cut after step %s is made good by the next start",
    async (step) => {
      service = await Service.start({ env: ENV, simulated: { powerCutAt: `erasure:${step}` } });
      const { dataDir } = service;
      const life = await liveThrough(service);
      await service.operator("POST", `/bookings/${life.id}/erase`, { passenger: 0 }).catch(() => undefined);
      await service.ended;
      service = await Service.start({ dataDir, env: ENV });
      await expectForgotten(service, life);
    },
  );

  test("on an older copy again, before it is ready", async () => {
    service = await Service.start({ env: ENV });
    const life = await liveThrough(service);
    const SECRET_KEY = readFileSync(join(service.dataDir, "secret-key"), "utf8").trim();
    const copy = join(folder(), "copy");
    expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
    expect((await service.operator("POST", `/bookings/${life.id}/erase`, { passenger: 0 })).status).toBe(200);
    const file = join(folder(), "erasures.json");
    writeFileSync(file, JSON.stringify(await operatorJson({ DATA_DIR: service.dataDir }, "erasures", "export")));
    await service.discard();
    service = await Service.start({ dataDir: copy, env: { ...ENV, SECRET_KEY }, line: ["--erasures", file] });
    await expectForgotten(service, life);
    await service.kill();
    expect(findWords(copy, OF_ADA)).toStrictEqual([]);
  });
});
