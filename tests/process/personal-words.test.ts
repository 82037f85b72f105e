import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { StateStore } from "@travel-booking/engines/state-store";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorJson } from "../support/operator-cli.ts";
import { findWords, IN_FILE, liveThrough, WORDS } from "../support/personal-words.ts";
import { Service } from "../support/service.ts";
import { withStateOf } from "../support/state-of.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { until } from "../support/until.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "debug" };

const folder = temporaryFolders();
let service: Service | undefined;
afterEach(() => service?.discard());

test("what is stored holds no personal word, and its owner is shown them all", async () => {
  service = await Service.start({ env: ENV });
  const { dataDir } = service;
  const { booking, shown, repeated } = await liveThrough(service);
  const before = await shown(service);
  const text = JSON.stringify(before);
  expect(Object.values(WORDS).filter((word) => !text.includes(word))).toStrictEqual([]);
  expect(await repeated(service)).toStrictEqual(booking);
  const { stderr } = await service.kill();
  expect(findWords(dataDir, [...Object.values(WORDS), IN_FILE])).toStrictEqual([]);
  // Where there is something to be found, it is found.
  expect(findWords(dataDir, ["Kepler-442b"])).not.toStrictEqual([]);
  expect(Object.values(WORDS).filter((word) => stderr.includes(word))).toStrictEqual([]);

  service = await Service.start({ dataDir, env: ENV });
  expect(await shown(service)).toStrictEqual(before);
  expect(await repeated(service)).toStrictEqual(booking);
});

test("a receiver that repeats what it was sent leaves none of it behind", async () => {
  const receiver = await Receiver.start(({ body }, response) => void response.writeHead(500).end(body));
  try {
    service = await Service.start({ env: { ...ENV, WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" } });
    const { dataDir } = service;
    await importFlights(service, [{ id: "PW-1", departsIn: 60 }]);
    const { apiKey } = await service.newApiKey();
    const client = new ApiClient(service.baseUrl, { apiKey });
    const create = async (path: string, body: object) => (await client.post<{ id: string }>(path, body)).body.id;
    const id = await create("/v1/webhook-endpoints", { url: receiver.url, events: ["booking.cancelled"] });
    const passengers = [{ name: WORDS.name, email: WORDS.email }];
    const bookingId = await create("/v1/bookings", { flightId: "PW-1", cabin: "economy", passengers });
    await client.post(`/v1/bookings/${bookingId}/cancel`, {});
    type Attempts = readonly { readonly id: string; readonly excerpt?: string }[];
    const attempts = async (of: Service) =>
      ((await of.operator("GET", `/webhook-endpoints/${id}/deliveries`)).body as { data: Attempts }).data;
    await until(async () => service !== undefined && (await attempts(service)).length > 0);
    const attempt = (await attempts(service)).at(-1);
    const inFull = async () => (await service?.operator("GET", `/webhook-deliveries/${attempt?.id}`))?.body;
    const before = await inFull();
    const sent = receiver.received[0]?.body ?? "";
    expect(sent).toContain(WORDS.name);
    expect(attempt?.excerpt).toBe(Buffer.from(sent).subarray(0, 500).toString());
    expect(before).toMatchObject({ excerpt: attempt?.excerpt, request: { body: sent } });
    await service.kill();
    expect(findWords(dataDir, Object.values(WORDS))).toStrictEqual([]);

    service = await Service.start({ dataDir, env: { ...ENV, WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" } });
    expect(await inFull()).toStrictEqual(before);
    expect((await service.operator("POST", `/bookings/${bookingId}/erase`)).status).toBe(200);
    const body = sent.replace(WORDS.name, "[erased]").replace(WORDS.email, "erased@erased.invalid");
    expect(await inFull()).toMatchObject({ excerpt: "[erased]", request: { body } });
  } finally {
    await receiver.stop();
  }
});

test("what a payer wrote with money that matches nothing is stored sealed, and gone with the money", async () => {
  service = await Service.start({ env: ENV });
  const { dataDir } = service;
  const reference = `Reise von ${WORDS.name}`;
  const refused = await service.operator("POST", "/transfers", { reference, amount: 500, entryId: "e1" });
  expect(refused.status).toBe(404);
  const written = async (of: Service) => {
    const { body } = await of.operator("GET", "/transfers");
    return (body as { data: readonly { reference: string | null }[] }).data.map((row) => row.reference);
  };
  expect(await written(service)).toStrictEqual([reference]);
  const { stderr } = await service.kill();
  expect(findWords(dataDir, [WORDS.name])).toStrictEqual([]);
  expect(stderr).not.toContain(WORDS.name);

  service = await Service.start({ dataDir, env: ENV });
  expect(await written(service)).toStrictEqual([reference]);
  expect((await service.operator("POST", "/transfers/e1/returned")).status).toBe(200);
  expect(await written(service)).toStrictEqual([null]);
});

test("whoever has a copy of what is stored, and a credential, is not shown what it says", async () => {
  service = await Service.start({ env: ENV });
  await liveThrough(service);
  const { apiKey } = await service.newApiKey();
  const stranger = new ApiClient(service.baseUrl, { apiKey });
  const stored = readFileSync(join(service.dataDir, "log", "data.mdb"), "latin1");
  const copied = [...new Set(stored.match(/[\w-]{13,}\.[a-z]+\.[\w-]{60,140}(?=")/g))].slice(0, 3);
  expect(copied.length).toBe(3);
  // As it is stored now, as former releases stored it, and as the place of a word.
  const names = [...copied.flatMap((block) => [block, `\x7f${block}`, `\x7f${block}.0`]), "A\x7f", '"\\u007f0"'];
  for (const name of names) {
    const order = { flightId: "PW-1", cabin: "economy", passengers: [{ name, email: "a@b.example" }] };
    const key = { "idempotency-key": randomUUID() };
    const made = await stranger.call<{ id: string }>("POST", "/v1/bookings", order, key);
    expect(made).toMatchObject({ status: 201, body: { passengers: order.passengers } });
    const shown = [
      await stranger.call("POST", "/v1/bookings", order, key),
      await stranger.get(`/v1/bookings/${made.body.id}`),
    ];
    expect(shown.map(({ body }) => body)).toStrictEqual([made.body, made.body]);
  }
});

const NOBODY = { firstName: "A", lastName: "B", dateOfBirth: "1987-06-05", nationality: "DE" };
const KEY_LEFT = "the key: in backups from before";

/** What is shown, with the moments of erasures left out. */
const ERASED = {
  passengers: [{ name: "[erased]", email: "erased@erased.invalid" }],
  documents: ["[erased]"],
  reference: "[erased]",
};

/** All that keys are made of, in the state store of a copy. */
async function storedKeys(dataDir: string): Promise<readonly string[]> {
  const list = async (state: StateStore) =>
    [
      await state.list("subject-keys", { limit: 1_000 }),
      await state.list<{ salts: string }>("word-key-pages", { limit: 1_000 }),
    ] as const;
  const [own, pages] = await withStateOf(dataDir, list, "keys");
  // Three salts of 16 bytes are 64 characters of base64.
  const salts = pages.flatMap(({ value }) => value.salts.match(/.{64}/g) ?? []);
  return [...own.flatMap(({ value }) => JSON.stringify(value).match(/[\w-]{43,}/g) ?? []), ...salts];
}

async function expectForgotten(of: Service, life: Awaited<ReturnType<typeof liveThrough>>): Promise<void> {
  const { shown, repeated, booking, bookingId, passengerId } = life;
  const after = await shown(of);
  expect(Object.values(WORDS).filter((word) => JSON.stringify(after).includes(word))).toStrictEqual(
    // The account's own are left.
    [WORDS.accountName, WORDS.credentialName, WORDS.adjustment],
  );
  expect(after[0]).toMatchObject({ ...ERASED, id: bookingId, status: "cancelled", totalAmount: 129_900 });
  expect(after[5]).toMatchObject({
    id: passengerId,
    firstName: "[erased]",
    lastName: "[erased]",
    email: "erased@erased.invalid",
    dateOfBirth: "0001-01-01",
    nationality: "XX",
    passport: { number: "[erased]", expiresOn: "0001-01-01", issuingCountry: "XX" },
    metadata: { note: "[erased]" },
  });
  expect(after[6]).toMatchObject({ data: [] });
  const first = { ...booking, passengers: ERASED.passengers, reference: ERASED.reference };
  expect(await repeated(of)).toStrictEqual(first);
}

describe("erasing (docs/privacy.md#erasing)", () => {
  test("a passenger and a booking are forgotten everywhere; a second time, and after a restart, too", async () => {
    service = await Service.start({ env: ENV });
    const { dataDir } = service;
    const life = await liveThrough(service);
    const { bookingId, passengerId, shown } = life;
    const before = await shown(service);
    const files = () => readdirSync(join(dataDir, "files")).length;
    expect(files()).toBe(1);
    const erase = async (path: string) => (await service?.operator("POST", path))?.body;
    const ofPassenger = { kind: "passenger", id: passengerId, erasedAt: expect.any(String) };
    const ofBooking = { kind: "booking", id: bookingId, erasedAt: expect.any(String) };
    expect(await erase(`/passengers/${passengerId}/erase`)).toStrictEqual({
      ...ofPassenger,
      stores: { eventLog: { erased: 1, plain: 0 }, files: 0, webhookEndpoints: 0 },
      left: [KEY_LEFT],
    });
    expect(await erase(`/bookings/${bookingId}/erase`)).toStrictEqual({
      ...ofBooking,
      stores: { eventLog: { erased: 6, plain: 0 }, files: 1, webhookEndpoints: 0 },
      left: [KEY_LEFT],
    });
    await expectForgotten(service, life);
    expect(files()).toBe(0);
    expect(await erase(`/bookings/${bookingId}/erase`)).toMatchObject(ofBooking);
    expect(await service.operator("GET", "/erasures")).toMatchObject({ body: { data: [ofBooking, ofPassenger] } });
    // The feed, money and points are as before.
    const after = await shown(service);
    const types = (feed: unknown) =>
      (feed as { data: { id: string; type: string }[] }).data.map(({ id, type }) => [id, type]);
    expect(types(after[7])).toStrictEqual(types(before[7]));
    expect(types(after[1])).toStrictEqual(types(before[1]));
    await service.kill();
    service = await Service.start({ dataDir, env: ENV });
    await expectForgotten(service, life);
  });

  test("what is not there, or still to come, is refused", async () => {
    service = await Service.start({ env: ENV });
    await importFlights(service, [{ id: "PW-2", departsIn: 60 }]);
    const { apiKey } = await service.newApiKey();
    const passengers = [{ name: WORDS.name, email: WORDS.email }];
    const client = new ApiClient(service.baseUrl, { apiKey });
    const { id } = (
      await client.post<{ id: string }>("/v1/bookings", { flightId: "PW-2", cabin: "economy", passengers })
    ).body;
    expect(await service.operator("POST", `/bookings/${id}/erase`)).toMatchObject({
      status: 409,
      body: { message: ["the journey is still to come: cancel the booking first"] },
    });
    for (const path of ["/bookings/bkg_1/erase", "/passengers/psg_1/erase", "/accounts/acc_1/erase"]) {
      expect((await service.operator("POST", path)).status).toBe(404);
    }
    expect((await client.get(`/v1/bookings/${id}`)).body).toMatchObject({ passengers });
    expect((await service.operator("GET", "/erasures")).body).toStrictEqual({ data: [] });
  });

  test("an account is forgotten with all it has, and its credentials are refused", async () => {
    service = await Service.start({ env: ENV });
    const life = await liveThrough(service);
    const { accountId, bookingId, apiKey } = life;
    const endpoint = { url: "https://8.8.8.8/events", events: ["booking.confirmed"] };
    const client = new ApiClient(service.baseUrl, { apiKey });
    expect((await client.post("/v1/webhook-endpoints", endpoint, { "Idempotency-Key": "hook" })).status).toBe(201);
    expect((await service.operator("GET", "/webhook-endpoints")).body).toMatchObject({ data: [{ accountId }] });
    const deleted = { ...NOBODY, email: WORDS.email };
    const { id } = (await client.post<{ id: string }>("/v1/passengers", deleted)).body;
    await client.call("DELETE", `/v1/passengers/${id}`);
    expect((await service.operator("POST", `/accounts/${accountId}/erase`)).body).toMatchObject({
      kind: "account",
      stores: { eventLog: { erased: 11, plain: 0 }, files: 1, webhookEndpoints: 1 },
    });
    expect((await service.operator("GET", "/webhook-endpoints")).body).toMatchObject({ data: [] });
    const after = await life.shown(service);
    expect(Object.values(WORDS).filter((word) => JSON.stringify(after).includes(word))).toStrictEqual([]);
    expect(after[0]).toMatchObject({ statusCode: 401 });
    const [accounts, credentials] = after.slice(-4) as { data: { name: string }[] }[];
    expect(accounts?.data).toContainEqual({ id: accountId, name: "[erased]", status: "suspended" });
    expect(credentials?.data.map(({ name }) => name)).toContain("[erased]");
    expect(readdirSync(join(service.dataDir, "files"))).toStrictEqual([]);
    expect((await service.operator("POST", `/accounts/${accountId}/resume`)).status).toBe(409);
    expect((await service.operator("GET", `/streams/booking-${bookingId}`)).status).toBe(200);
  });

  test.each(["begun", "recorded", "files", "key"])(
    "a power cut after step %s is made good by the next start",
    async (step) => {
      service = await Service.start({ env: ENV, simulated: { powerCutAt: `erasure:${step}` } });
      const { dataDir } = service;
      const life = await liveThrough(service);
      await service.operator("POST", `/bookings/${life.bookingId}/erase`).catch(() => undefined);
      await service.ended;
      service = await Service.start({ dataDir, env: ENV });
      expect((await life.shown(service))[0]).toMatchObject(ERASED);
      expect(findWords(dataDir, [IN_FILE])).toStrictEqual([]);
      const { data } = (await service.operator("GET", "/erasures")).body as { data: { erasedAt: string | null }[] };
      expect(data).toStrictEqual([{ kind: "booking", id: life.bookingId, erasedAt: expect.any(String) }]);
    },
  );

  test("a backup from before forgets again, before the service is ready", async () => {
    service = await Service.start({ env: ENV });
    const life = await liveThrough(service);
    const SECRET_KEY = readFileSync(join(service.dataDir, "secret-key"), "utf8").trim();
    const copy = join(folder(), "copy");
    expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
    for (const path of [`/bookings/${life.bookingId}/erase`, `/passengers/${life.passengerId}/erase`]) {
      expect((await service.operator("POST", path)).status).toBe(200);
    }
    const exported = await operatorJson<unknown>({ DATA_DIR: service.dataDir }, "erasures", "export");
    const file = join(folder(), "erasures.json");
    writeFileSync(file, JSON.stringify(exported));
    await service.discard();
    service = await Service.start({ dataDir: copy, env: { ...ENV, SECRET_KEY }, line: ["--erasures", file] });
    await expectForgotten(service, life);
    expect(readdirSync(join(copy, "files"))).toStrictEqual([]);
  });

  test("an account is forgotten on an older copy, however often, also while SECRET_KEY is being changed", async () => {
    service = await Service.start({ env: ENV });
    const life = await liveThrough(service);
    const SECRET_KEY_PREVIOUS = readFileSync(join(service.dataDir, "secret-key"), "utf8").trim();
    const copy = join(folder(), "copy");
    expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
    expect((await service.operator("POST", `/accounts/${life.accountId}/erase`)).status).toBe(200);
    const exported = () => operatorJson<unknown>({ DATA_DIR: service?.dataDir ?? "" }, "erasures", "export");
    const erasures = await exported();
    expect(await exported()).toStrictEqual(erasures);
    const file = join(folder(), "erasures.json");
    writeFileSync(file, JSON.stringify(erasures));
    await service.discard();
    const env = { ...ENV, SECRET_KEY: "of-forty-three-visible-characters-and-not-fewer", SECRET_KEY_PREVIOUS };
    for (const line of [["--erasures", file], ["--erasures", file], []]) {
      service = await Service.start({ dataDir: copy, env, line });
      const shown = await life.shown(service);
      expect(shown[0]).toMatchObject({ statusCode: 401 });
      expect(Object.values(WORDS).filter((word) => JSON.stringify(shown).includes(word))).toStrictEqual([]);
      expect(await exported()).toMatchObject([{ kind: "account", id: life.accountId }]);
      await service.kill();
      expect(findWords(copy, [...Object.values(WORDS), IN_FILE])).toStrictEqual([]);
    }
    const wrong = Service.spawn({
      dataDir: copy,
      env: { ...ENV, SECRET_KEY: "another-of-forty-three-visible-characters-or-more" },
    });
    expect(await wrong.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^[^\n]*SECRET_KEY[^\n]*\n$/) });
  });

  test("a backup holds its keys apart: without them it starts only when told to, and its words are erased", async () => {
    service = await Service.start({ env: ENV });
    const { bookingId } = await liveThrough(service);
    const SECRET_KEY = readFileSync(join(service.dataDir, "secret-key"), "utf8").trim();
    const copy = join(folder(), "copy");
    expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
    await service.discard();
    service = undefined;
    rmSync(join(copy, "keys"), { recursive: true });
    const spawned = Service.spawn({ dataDir: copy, env: { ...ENV, SECRET_KEY } });
    expect(await spawned.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^the folder keys of DATA_DIR is not the one .*, or an older one.*SECRET_KEY_IS_NEW=true.*\n$/,
      ),
    });
    service = await Service.start({ dataDir: copy, env: { ...ENV, SECRET_KEY, SECRET_KEY_IS_NEW: "true" } });
    const shown = (await service.operator("GET", `/bookings/${bookingId}`)).body;
    expect(shown).toMatchObject({ id: bookingId });
    expect(JSON.stringify(shown)).toContain("[erased]");
    expect(Object.values(WORDS).filter((word) => JSON.stringify(shown).includes(word))).toStrictEqual([]);
  });

  test.each([undefined, "erasure:key"])(
    "nothing of a key is left in any file, with a power cut after %s",
    async (step) => {
      service = await Service.start({ env: ENV, ...(step && { simulated: { powerCutAt: step } }) });
      const { dataDir } = service;
      const { bookingId, passengerId } = await liveThrough(service);
      const keysIn = async (copy: string) => {
        expect((await service?.operator("POST", "/backup", { path: copy }))?.status).toBe(200);
        return storedKeys(copy);
      };
      const beforeFolder = join(folder(), "before");
      const before = await keysIn(beforeFolder);
      const erase = async (path: string) => (await service?.operator("POST", path))?.status;
      if (step === undefined) expect(await erase(`/bookings/${bookingId}/erase`)).toBe(200);
      else {
        await erase(`/bookings/${bookingId}/erase`).catch(() => undefined);
        await service.ended;
        service = await Service.start({ dataDir, env: ENV });
      }
      expect(await erase(`/passengers/${passengerId}/erase`)).toBe(200);
      // Also while it is running.
      const left = findWords(dataDir, before);
      const after = new Set(await keysIn(join(folder(), "after")));
      const erased = before.filter((key) => !after.has(key));
      expect(erased.length).toBeGreaterThanOrEqual(2);
      expect(left.filter((found) => erased.some((key) => found.endsWith(key)))).toStrictEqual([]);
      expect(erased.filter((key) => findWords(beforeFolder, [key]).length === 0)).toStrictEqual([]);
      expect(readdirSync(join(dataDir, "keys")).toSorted()).toStrictEqual(["created", "data.mdb", "lock.mdb"]);
      expect((await service.operator("GET", "/erasures")).body).toMatchObject({ data: [{}, {}] });
    },
  );

  test("a file that is no list of erasures does not let it start", async () => {
    const spawned = Service.spawn({ dataDir: folder(), line: ["--erasures", "/nowhere"] });
    expect(await spawned.ended).toMatchObject({
      code: 1,
      stderr: `--erasures is "/nowhere": it can't be read (ENOENT)\n`,
    });
  });
});
