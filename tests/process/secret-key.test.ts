import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { AccessTokens } from "@travel-booking/http";
import { deriveKeys, ManualClock, type PublicKeySet, TextSealer, TextSigner } from "@travel-booking/runtime";
import { SEALED_KEY_CHECK } from "@travel-booking/service-host";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { ApiClient } from "../support/api-client.ts";
import { liveThrough } from "../support/personal-words.ts";
import { Service } from "../support/service.ts";
import { withStateOf } from "../support/state-of.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { until } from "../support/until.ts";
import { expectStartFailure } from "./kit/expect-start-failure.ts";

const folder = temporaryFolders();
const services: Service[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
});

const ONE = { SECRET_KEY: "one-secret-key-of-forty-three-visible-characters" };
const OTHER = { SECRET_KEY: "other-secret-key-of-forty-three-visible-characters" };
const WRONG_KEY = /^SECRET_KEY is not the one that what is stored was sealed under: start with that one /;

async function startAndStop(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const service = Service.spawn({ dataDir, env });
  services.push(service);
  await service.ready();
  await service.kill();
}

test("the key that was made at the first start is needed as well", async () => {
  const dataDir = folder();
  await startAndStop(dataDir);
  const file = join(dataDir, "secret-key");
  const kept = readFileSync(file, "utf8");
  expect(await expectStartFailure({ dataDir, env: OTHER })).toMatch(WRONG_KEY);
  writeFileSync(file, `${OTHER.SECRET_KEY}\n`);
  expect(await expectStartFailure({ dataDir })).toMatch(/if it is lost, start once with SECRET_KEY_IS_NEW=true/);
  writeFileSync(file, kept);
  await startAndStop(dataDir);
});

test("a service does not start on what was stored under another key, unless that is said to be new, for good", async () => {
  const dataDir = folder();
  await startAndStop(dataDir, ONE);
  expect(await expectStartFailure({ dataDir, env: OTHER })).toMatch(WRONG_KEY);
  await startAndStop(dataDir, { ...OTHER, SECRET_KEY_IS_NEW: "true" });
  await startAndStop(dataDir, OTHER);
  expect(await expectStartFailure({ dataDir, env: ONE })).toMatch(WRONG_KEY);
});

test("a copy that came without its key starts with one that is made, and says what that means", async () => {
  const dataDir = folder();
  await startAndStop(dataDir);
  rmSync(join(dataDir, "secret-key"));
  const service = await Service.start({ dataDir });
  services.push(service);
  expect(service.stderr).toContain("webhook endpoints made before have to be created anew");
});

describe("changing SECRET_KEY (docs/operations.md#changing-secret_key)", () => {
  const CHANGE = { ...OTHER, SECRET_KEY_PREVIOUS: ONE.SECRET_KEY };

  async function start(dataDir: string, env: Readonly<Record<string, string>>): Promise<Service> {
    const service = await Service.start({ dataDir, env: { ...env, RATE_LIMIT_PER_MINUTE: "0" } });
    services.push(service);
    return service;
  }

  async function detail(service: Service): Promise<string | undefined> {
    const report = await (await fetch(`${service.operatorUrl}/health/ready`)).json();
    return (report as { details: { secretKey?: string } }).details.secretKey;
  }

  /** An OAuth client. */
  async function newClient(service: Service, accountId: string) {
    const made = await service.operator("POST", "/credentials", { accountId, kind: "oauth-client" });
    return made.body as { clientId: string; clientSecret: string };
  }

  async function issue(service: Service, client: { clientId: string; clientSecret: string }): Promise<string> {
    const issued = await fetch(`${service.baseUrl}/v1/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: client.clientId,
        client_secret: client.clientSecret,
      }),
    });
    return ((await issued.json()) as { access_token: string }).access_token;
  }

  /** What somebody signs who has a secret and no client: an id of one is no secret. */
  function forge(secret: string, clientId: string, at: number): Promise<string> {
    const keys = deriveKeys(secret, "access-tokens");
    const keyInUse = async () => ({ index: 0, since: 0 });
    return new AccessTokens({ keys, keyInUse, clock: new ManualClock(at) }).issue(clientId, ["bookings:read"]);
  }

  async function read(service: Service, accessToken: string): Promise<number> {
    return (await new ApiClient(service.baseUrl, { accessToken }).get("/v1/bookings")).status;
  }

  test("what was given out holds, words are shown, and in the end the previous one is needed no more", async () => {
    const dataDir = folder();
    let service = await start(dataDir, ONE);
    const { apiKey, accountId, shown } = await liveThrough(service);
    const client = () => new ApiClient(service.baseUrl, { apiKey });
    const endpoint = await client().post<{ id: string; secret: string }>(
      "/v1/webhook-endpoints",
      { url: "https://8.8.8.8/events", events: ["booking.confirmed"] },
      { "Idempotency-Key": "hook" },
    );
    const accessToken = await issue(service, await newClient(service, accountId));
    type Page = { page: { nextCursor: string } };
    const { nextCursor } = (await client().get<Page>("/v1/events?order=asc&limit=1")).body.page;
    await service.operator("POST", "/transfers", { reference: "of somebody", amount: 500, entryId: "e1" });
    const transfers = async () => (await service.operator("GET", "/transfers")).body;
    const [before, money] = [await shown(service), await transfers()];
    expect(await detail(service)).toBeUndefined();
    await service.kill();

    // Killed as soon as it has begun.
    await (await start(dataDir, CHANGE)).kill();
    service = await start(dataDir, CHANGE);
    expect(await shown(service)).toStrictEqual(before);
    const bearer = new ApiClient(service.baseUrl, { accessToken });
    expect((await bearer.get(`/v1/events?order=asc&limit=1&cursor=${nextCursor}`)).status).toBe(200);
    await until(async () => (await detail(service))?.endsWith("no more to come") === true);
    await service.kill();
    expect(await expectStartFailure({ dataDir, env: ONE })).toMatch(WRONG_KEY);

    service = await start(dataDir, OTHER);
    expect(await shown(service)).toStrictEqual(before);
    expect(await transfers()).toStrictEqual(money);
    expect(JSON.stringify(money)).toContain("of somebody");
    expect(await detail(service)).toBeUndefined();
    expect((await new ApiClient(service.baseUrl, { accessToken }).get("/v1/events")).status).toBe(401);
    await service.kill();
    const secret = await withStateOf(dataDir, (state) =>
      new WebhookSecrets(state, OTHER.SECRET_KEY).get(endpoint.body.id),
    );
    expect(secret).toBe(endpoint.body.secret);
  });

  test("a process that does not use the next one yet accepts what another has made with it", async () => {
    const dataDir = folder();
    let service = await start(dataDir, OTHER);
    const { shown } = await liveThrough(service);
    const before = await shown(service);
    await service.kill();
    service = await start(dataDir, { ...ONE, SECRET_KEY_PREVIOUS: OTHER.SECRET_KEY });
    expect(await shown(service)).toStrictEqual(before);
  });

  test("whoever knows the previous one makes no token from the change on, nor after a restart", async () => {
    const dataDir = folder();
    let service = await start(dataDir, ONE);
    const { accountId } = await service.newApiKey();
    const client = await newClient(service, accountId);
    const before = Date.now();
    const given = await issue(service, client);
    await service.kill();
    for (const time of ["first", "second"]) {
      service = await start(dataDir, CHANGE);
      const later = await forge(ONE.SECRET_KEY, client.clientId, Date.now() + 1_000);
      const backdated = await forge(ONE.SECRET_KEY, client.clientId, before);
      const anHourOld = await forge(ONE.SECRET_KEY, client.clientId, before - 3_600_000);
      const statuses = [later, given, backdated, anHourOld].map((token) => read(service, token));
      expect([time, ...(await Promise.all(statuses))]).toStrictEqual([time, 401, 200, 200, 401]);
      expect(await read(service, await issue(service, client))).toBe(200);
      await service.kill();
    }
  });

  test("a previous one that is for unsealing alone is believed in nothing, and what is stored is shown", async () => {
    const dataDir = folder();
    let service = await start(dataDir, ONE);
    const { apiKey, accountId, shown } = await liveThrough(service);
    const client = await newClient(service, accountId);
    const given = await issue(service, client);
    const api = () => new ApiClient(service.baseUrl, { apiKey });
    const passKeys = async () =>
      (await (await fetch(`${service.baseUrl}/.well-known/boarding-pass-keys`)).json()) as PublicKeySet;
    type Page = { page: { nextCursor: string } };
    const { nextCursor } = (await api().get<Page>("/v1/events?order=asc&limit=1")).body.page;
    const [before, { keys }] = [await shown(service), await passKeys()];
    await service.kill();

    service = await start(dataDir, { ...CHANGE, SECRET_KEY_PREVIOUS_FOR: "unsealing" });
    expect(await shown(service)).toStrictEqual(before);
    const backdated = await forge(ONE.SECRET_KEY, client.clientId, Date.now() - 600_000);
    expect([await read(service, given), await read(service, backdated)]).toStrictEqual([401, 401]);
    expect((await api().get(`/v1/events?order=asc&limit=1&cursor=${nextCursor}`)).status).toBe(400);
    const after = (await passKeys()).keys;
    expect([after.length, after.some(({ x }) => keys.some((key) => key.x === x))]).toStrictEqual([1, false]);
    expect(await read(service, await issue(service, client))).toBe(200);
    await until(async () => (await detail(service))?.endsWith("no more to come") === true);
  });
});

describe("a SECRET_KEY that may be guessed", () => {
  const GUESSABLE = { SECRET_KEY: "a-sentence-that-somebody-made-up" };
  const UNUSUAL = /^ {2}unusual {11}what is stored is sealed under a SECRET_KEY that may be guessed: /m;

  test("is stretched on an empty folder: nothing that anybody can read follows from it alone", async () => {
    const dataDir = folder();
    const service = await Service.start({ dataDir, env: GUESSABLE });
    services.push(service);
    expect(service.stdout).not.toMatch(UNUSUAL);
    const published = await (await fetch(`${service.baseUrl}/.well-known/boarding-pass-keys`)).json();
    const guessed = new TextSigner(deriveKeys(GUESSABLE.SECRET_KEY, "boarding-passes"));
    expect(published).not.toStrictEqual(guessed.publicKeys);
    await service.kill();
    await startAndStop(dataDir, GUESSABLE);
  });

  test("goes on where something is stored under it, and the start says so", async () => {
    const dataDir = folder();
    await startAndStop(dataDir, ONE);
    await withStateOf(dataDir, async (state) => {
      const { space, purpose } = SEALED_KEY_CHECK;
      const sealer = new TextSealer(deriveKeys(GUESSABLE.SECRET_KEY, purpose));
      await state.put(space, "sealed", sealer.seal("stored under this key", "sealed"));
      await state.remove("secret-key-use", "present");
    });
    const service = await Service.start({ dataDir, env: GUESSABLE });
    services.push(service);
    expect(service.stdout).toMatch(UNUSUAL);
    const published = await (await fetch(`${service.baseUrl}/.well-known/boarding-pass-keys`)).json();
    expect(published).toStrictEqual(new TextSigner(deriveKeys(GUESSABLE.SECRET_KEY, "boarding-passes")).publicKeys);
  });
});
