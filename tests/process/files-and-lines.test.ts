import { type Dirent, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const folder = temporaryFolders();
let service: Service | undefined;
afterEach(() => service?.kill());

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function everythingIn(path: string): readonly Dirent[] {
  return readdirSync(path, { recursive: true, withFileTypes: true });
}

function expectPrivate(path: string): void {
  const entries = everythingIn(path);
  expect(entries.length).toBeGreaterThan(5);
  const wrong = entries
    .map((entry) => ({ entry, mode: modeOf(join(entry.parentPath, entry.name)) }))
    .filter(({ entry, mode }) => mode !== (entry.isDirectory() ? "700" : "600"))
    .map(({ entry, mode }) => `${entry.name} ${mode}`);
  expect(wrong).toStrictEqual([]);
}

test("everything that is stored is for this user alone, backups included", async () => {
  const dataDir = join(folder(), "made", "by-the-service");
  service = await Service.start({ dataDir, env: { DEMO: "true" } });
  expect(modeOf(dataDir)).toBe("700");
  expectPrivate(dataDir);
  const names = everythingIn(dataDir).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["demo.json", "operator.json", "operator-token", "secret-key"]));
  const copy = join(folder(), "copy");
  expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(200);
  expect(modeOf(copy)).toBe("700");
  expectPrivate(copy);
  await service.stop();
});

test("a backup leaves nothing out that it can't read: it fails, and nothing is left of it", async () => {
  service = await Service.start({ dataDir: folder() });
  const unreadable = join(service.dataDir, "files", "a".repeat(64));
  symlinkSync(unreadable, unreadable);
  const copy = join(folder(), "copy");
  expect((await service.operator("POST", "/backup", { path: copy })).status).toBe(500);
  expect(existsSync(copy)).toBe(false);
  await service.stop();
});

test("the files for people and scripts say what the start-up summary says", async () => {
  const dataDir = folder();
  mkdirSync(join(dataDir, "log"));
  service = await Service.start({ dataDir, env: { DEMO: "true" } });
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
  expect(Object.keys(demo)).toStrictEqual([
    "baseUrl",
    "operatorUrl",
    "accountId",
    "apiKey",
    "clientId",
    "clientSecret",
  ]);
  expect([demo.baseUrl, demo.operatorUrl]).toStrictEqual([service.baseUrl, service.operatorUrl]);
  for (const fact of [demo.baseUrl, demo.operatorUrl, demo.apiKey, demo.clientId, demo.clientSecret]) {
    expect(service.stdout).toContain(fact);
  }
  const before = service.stdout;
  await service.stop();
  // The account stays, whatever the addresses are.
  service = await Service.start({ dataDir, env: { DEMO: "" } });
  expect(JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"))).toStrictEqual({
    ...demo,
    baseUrl: service.baseUrl,
    operatorUrl: service.operatorUrl,
  });
  expect(service.stdout.length).toBeGreaterThan(before.length / 2);
  await service.stop();
});

test("at the lowest level, every line is JSON, and none holds a secret or says who somebody is", async () => {
  service = await Service.start({ dataDir: folder(), env: { LOG_LEVEL: "trace", DEMO: "true" } });
  const { dataDir, baseUrl } = service;
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
  const secrets = [demo.apiKey, demo.clientSecret];
  for (const file of ["operator-token", "secret-key"]) secrets.push(readFileSync(join(dataDir, file), "utf8").trim());
  const granted = await fetch(`${baseUrl}/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: demo.clientId,
      client_secret: demo.clientSecret,
    }),
  });
  const { access_token: accessToken } = (await granted.json()) as { access_token: string };
  secrets.push(accessToken);
  const api = new ApiClient(baseUrl, { accessToken });
  const people = ["Grace Hopper", "grace.hopper@example.com"];
  const passengers = [{ name: people[0], email: people[1] }];
  const flights = await api.get<{ data: { id: string }[] }>("/v1/flights?departsAfter=2027-06-01&limit=1");
  const flightId = flights.body.data[0]?.id;
  const booking = await api.post<{ id: string }>("/v1/bookings", { flightId, cabin: "economy", passengers });
  expect(booking.status).toBe(201);
  const path = `/v1/bookings/${booking.body.id}`;
  const token = "tok_declined_card_declined";
  expect((await api.post(`${path}/payments`, { type: "card", token }, { "Idempotency-Key": "one" })).status).toBe(201);
  const paid = await api.post<{ id: string }>(
    `${path}/payments`,
    { type: "card", token: "tok_visa" },
    { "Idempotency-Key": "two" },
  );
  expect(paid.status).toBe(201);
  await api.patch(path, { passengers: [{ name: `${people[0]} Murray`, email: people[1] }] });
  await api.post(`/v1/payments/${paid.body.id}/refunds`, { amount: 1 });
  await api.post(`${path}/cancel`, { reason: people[0] });
  await api.post("/v1/bookings", { ...passengers[0], apiKey: demo.apiKey, email: [people[1]] });
  await new ApiClient(baseUrl, { apiKey: `${demo.apiKey.slice(0, -1)}x` }).get("/v1/flights");
  await api.get(`/v1/bookings?email=${people[1]}`);
  await service.operator("POST", "/accounts", { name: people[0] });
  await service.operator("POST", "/accounts", { name: [people[0]], email: people[1] });
  const { code, stdout, stderr } = await service.stop();
  expect(code).toBe(0);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty("level");
  for (const told of [...secrets, ...people, token, "tok_visa", "Murray"]) expect(stderr).not.toContain(told);
  for (const line of stdout.trimEnd().split("\n")) expect(line).not.toMatch(/^\{/);
});
